import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Asking,
  type FolderGrant,
  isEnough,
  type Permission,
  permissionOf,
  permissions,
  type Restriction,
} from '../../../shared/cloud/permissions.ts';

const asking = (more: Partial<Asking> = {}): Asking => ({
  user_id: 'usr_1',
  role: 'member',
  grants: ['cloud:read', 'cloud:write'],
  ...more,
});

const folder = (grants: FolderGrant[], restricted_by: string | null = 'usr_9'): Restriction => {
  return { grants, restricted_by, department_ids: ['dep_1'] };
};

describe('the permission on an item', () => {
  const READER: Partial<Asking> = { grants: ['cloud:read'] };
  const cases: [name: string, who: Partial<Asking>, nearest: Restriction | null, may: Permission | null][] = [
    ['is that of an editor where nothing is restricted', {}, null, 'editor'],
    ['is that of a viewer without cloud:write', READER, null, 'viewer'],
    ['is that of a manager for an owner', { role: 'owner', grants: ['*'] }, folder([]), 'manager'],
    ['is that of a manager for an admin', { role: 'admin', grants: ['*'] }, null, 'manager'],
    [
      'is that of a viewer for a key of an admin that only reads',
      { role: 'admin', ...READER },
      null,
      'viewer',
    ],
    ['is none in a restricted folder', {}, folder([]), null],
    ['is that of a manager for who restricted it', {}, folder([], 'usr_1'), 'manager'],
    ['is that of a grant to the user', {}, folder([{ type: 'user', id: 'usr_1', role: 'viewer' }]), 'viewer'],
    [
      'is that of a grant to the role',
      {},
      folder([{ type: 'role', id: 'member', role: 'editor' }]),
      'editor',
    ],
    [
      'is that of a grant to a department',
      {},
      folder([{ type: 'department', id: 'dep_1', role: 'manager' }]),
      'manager',
    ],
    ['is none by the grant of another', {}, folder([{ type: 'user', id: 'usr_2', role: 'manager' }]), null],
    ['is none by an ID of another type', {}, folder([{ type: 'role', id: 'usr_1', role: 'manager' }]), null],
    [
      'is the highest of several',
      {},
      folder([
        { type: 'user', id: 'usr_1', role: 'viewer' },
        { type: 'role', id: 'member', role: 'manager' },
        { type: 'department', id: 'dep_1', role: 'editor' },
      ]),
      'manager',
    ],
    [
      'is none for nobody, though nobody restricted it',
      { user_id: null, role: null },
      folder([], null),
      null,
    ],
  ];
  for (const [name, who, nearest, may] of cases) {
    test(name, () => assert.equal(permissionOf(asking(who), nearest), may));
  }

  test('never falls by another grant, and never rises without one', () => {
    const grant = fc.record({
      type: fc.constantFrom('user' as const, 'role' as const, 'department' as const),
      id: fc.constantFrom('usr_1', 'usr_2', 'member', 'manager', 'dep_1', 'dep_2'),
      role: fc.constantFrom(...permissions),
    });
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 8 }), grant, (grants, more) => {
        const [before, after] = [grants, [...grants, more]].map((each) =>
          permissionOf(asking(), folder(each)),
        );
        if (before) assert.ok(isEnough(after!, before));
        const own = grants.filter(
          ({ type, id }) =>
            (type === 'user' && id === 'usr_1') ||
            (type === 'role' && id === 'member') ||
            (type === 'department' && id === 'dep_1'),
        );
        assert.equal(before === null, own.length === 0);
      }),
    );
  });
});
