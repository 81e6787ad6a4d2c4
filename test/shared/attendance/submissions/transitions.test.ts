import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Asking,
  actionsFor,
  requireAction,
  type Standing,
  type SubmissionAction,
  submissionActions,
  submissionTransitions,
} from '../../../../shared/attendance/submissions/transitions.ts';
import { codeOf, doubledWays, requireAgreement, unreachedStatuses } from '../../../support/transitions.ts';

const OWNER: Asking = {
  grants: ['*'],
  user_id: 'usr_owner',
  decides: true,
  decides_own: false,
  acts: true,
  confirms: true,
  manages: true,
};
const MEMBER: Asking = {
  ...OWNER,
  user_id: 'usr_member',
  decides: false,
  acts: false,
  confirms: false,
  manages: false,
};
const MANAGER: Asking = { ...OWNER, user_id: 'usr_manager', confirms: false, manages: false };

const standing = (fields: Partial<Standing>): Standing => ({
  kind: 'submission',
  status: 'submitted',
  member_user_id: 'usr_member',
  has_later_closed: false,
  ...fields,
});

describe('the life of months', () => {
  const table: [status: Standing['status'], outcomes: Record<SubmissionAction, string>][] = [
    [
      'none',
      {
        submit: 'allowed',
        confirm: 'invalid_transition',
        return: 'invalid_transition',
        reopen: 'invalid_transition',
      },
    ],
    [
      'submitted',
      { submit: 'invalid_transition', confirm: 'allowed', return: 'allowed', reopen: 'invalid_transition' },
    ],
    [
      'returned',
      {
        submit: 'allowed',
        confirm: 'invalid_transition',
        return: 'invalid_transition',
        reopen: 'invalid_transition',
      },
    ],
    [
      'confirmed',
      {
        submit: 'invalid_transition',
        confirm: 'invalid_transition',
        return: 'invalid_transition',
        reopen: 'allowed',
      },
    ],
    [
      'reopened',
      {
        submit: 'allowed',
        confirm: 'invalid_transition',
        return: 'invalid_transition',
        reopen: 'invalid_transition',
      },
    ],
  ];
  for (const [status, outcomes] of table) {
    for (const action of submissionActions) {
      test(`${action} of one that is ${status}: ${outcomes[action]}`, () =>
        assert.equal(
          codeOf(() => requireAction(standing({ status }), action, OWNER)),
          outcomes[action],
        ));
    }
  }

  const callers: [name: string, standing: Partial<Standing>, asking: Asking, actions: string[]][] = [
    ['an owner', {}, OWNER, ['confirm', 'return']],
    ['a manager', {}, MANAGER, ['return']],
    ['a manager who may confirm', {}, { ...MANAGER, confirms: true }, ['confirm', 'return']],
    [
      'a manager with their own',
      { member_user_id: 'usr_manager' },
      { ...MANAGER, confirms: true },
      ['return'],
    ],
    [
      'the only owner with their own',
      { member_user_id: 'usr_owner' },
      { ...OWNER, decides_own: true },
      ['confirm', 'return'],
    ],
    ['the member', {}, MEMBER, []],
    ['the member, returned', { status: 'returned' }, MEMBER, ['submit']],
    ['somebody else, returned', { status: 'returned' }, { ...MEMBER, user_id: 'usr_other' }, []],
    ['a manager, confirmed', { status: 'confirmed' }, { ...MANAGER, confirms: true }, []],
    ['an owner, with a later month closed', { status: 'confirmed', has_later_closed: true }, OWNER, []],
    ['an owner without the scope', {}, { ...OWNER, grants: ['attendance:write'] }, []],
  ];
  for (const [name, fields, asking, actions] of callers) {
    test(`for ${name}: ${actions.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(actionsFor(standing(fields), asking), actions));
  }

  test('says why: role, own month, later months', () => {
    const refused = (action: SubmissionAction, fields: Partial<Standing>, asking: Asking) =>
      codeOf(() => requireAction(standing(fields), action, asking));
    assert.equal(refused('confirm', {}, MANAGER), 'role_required');
    assert.equal(refused('confirm', { member_user_id: 'usr_owner' }, OWNER), 'self_approval');
    assert.equal(refused('reopen', { status: 'confirmed' }, MANAGER), 'role_required');
    assert.equal(
      refused('reopen', { status: 'confirmed', has_later_closed: true }, OWNER),
      'later_period_closed',
    );
  });

  test('lists what a call lets through, has each way once, and reaches every status', () => {
    requireAgreement(submissionTransitions, {
      askings: [OWNER, MANAGER, MEMBER, { ...MANAGER, confirms: true }, { ...OWNER, decides_own: true }],
      standings: (_, status) =>
        ['usr_owner', 'usr_manager', 'usr_member'].flatMap((member_user_id) =>
          [true, false].map((has_later_closed) =>
            standing({ status: status as Standing['status'], member_user_id, has_later_closed }),
          ),
        ),
    });
    assert.deepEqual(doubledWays(submissionTransitions), []);
    assert.deepEqual(unreachedStatuses(submissionTransitions), []);
  });
});
