import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Asking,
  actionsFor,
  requestTransitions,
  type Standing,
} from '../../../../shared/attendance/requests/transitions.ts';
import { requireAgreement, unreachedStatuses } from '../../../support/transitions.ts';

const asking: Asking = {
  grants: ['*'],
  user_id: 'usr_self',
  decides: false,
  decides_own: false,
  today: '2026-11-24',
};

const standing = (fields: Partial<Standing>): Standing => ({
  kind: 'leave_request',
  status: 'pending',
  member_user_id: 'usr_self',
  created_by: 'usr_self',
  first_day: '2026-12-02',
  ...fields,
});

describe('the life of requests', () => {
  const other = { member_user_id: 'usr_other', created_by: 'usr_other' };
  const table: [name: string, standing: Partial<Standing>, asking: Partial<Asking>, actions: string[]][] = [
    ['one’s own', {}, {}, ['cancel']],
    ['one’s own, of who decides others', {}, { decides: true }, ['cancel']],
    [
      'one’s own, where that is allowed',
      {},
      { decides: true, decides_own: true },
      ['approve', 'reject', 'cancel'],
    ],
    ['of somebody else', other, {}, []],
    ['of the team', other, { decides: true }, ['approve', 'reject']],
    ['of the team without the scope', other, { decides: true, grants: ['attendance:write'] }, []],
    ['filed for somebody else', { ...other, created_by: 'usr_self' }, {}, ['cancel']],
    ['approved, to come', { status: 'approved' }, {}, ['cancel']],
    ['approved, begun today', { status: 'approved', first_day: '2026-11-24' }, {}, []],
    [
      'approved, begun, of the team',
      { ...other, status: 'approved', first_day: '2026-01-01' },
      { decides: true },
      ['cancel'],
    ],
    ['a correction, approved, to come', { kind: 'correction', status: 'approved' }, { decides: true }, []],
    ['overtime, approved, to come', { kind: 'overtime_request', status: 'approved' }, { decides: true }, []],
    ['rejected', { status: 'rejected' }, { decides: true, decides_own: true }, []],
    ['cancelled', { status: 'cancelled' }, { decides: true, decides_own: true }, []],
  ];
  for (const [name, fields, who, actions] of table) {
    test(`${name}: ${actions.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(actionsFor(standing(fields), { ...asking, ...who }), actions));
  }

  test('lists what a call lets through, and reaches every status', () => {
    requireAgreement(requestTransitions, {
      askings: [true, false].flatMap((decides) =>
        [true, false].map((decides_own) => ({ ...asking, decides, decides_own })),
      ),
      standings: (kind, status) =>
        ['usr_self', 'usr_other'].map((user_id) =>
          standing({ kind, status, member_user_id: user_id, created_by: user_id }),
        ),
    });
    assert.deepEqual(unreachedStatuses(requestTransitions), []);
  });
});
