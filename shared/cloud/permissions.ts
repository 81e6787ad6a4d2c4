import { allows, type Grant, type Role } from '../kernel/scope.ts';

/** What one may do with an item, from the least to the most. */
export const permissions = ['viewer', 'editor', 'manager'] as const;

export type Permission = (typeof permissions)[number];

/** Whom a folder is opened to, and how far. */
export type FolderGrant = { type: 'user' | 'department' | 'role'; id: string; role: Permission };

/** A restricted folder: its own grants count, and who restricted it manages it. */
export type Restriction = {
  grants: readonly FolderGrant[];
  restricted_by: string | null;
  /** The departments among its grants that who asks is in. */
  department_ids: readonly string[];
};

/** Who asks, as permissions see it. A key acts as its creator. */
export type Asking = {
  user_id: string | null;
  role: Role | null;
  grants: readonly Grant[];
};

/**
 * What who asks may do with what the nearest restricted folder at or above it decides; null for what they do not see.
 * `nearest` is null where no folder up to the root is restricted.
 */
export function permissionOf(asking: Asking, nearest: Restriction | null): Permission | null {
  const given = givenBy(asking, nearest);
  // Whoever cannot write looks on, whatever was given.
  return given && !allows(asking.grants, 'cloud:write') ? 'viewer' : given;
}

function givenBy(asking: Asking, nearest: Restriction | null): Permission | null {
  if (managesAll(asking)) return 'manager';
  if (nearest === null) return 'editor';
  if (asking.user_id !== null && nearest.restricted_by === asking.user_id) return 'manager';
  const given = nearest.grants.filter((grant) => isFor(grant, asking, nearest)).map(({ role }) => role);
  return permissions.toReversed().find((permission) => given.includes(permission)) ?? null;
}

/** Whether one sees and manages every folder, restricted or not. */
export function managesAll({ role }: Pick<Asking, 'role'>): boolean {
  return role === 'owner' || role === 'admin';
}

function isFor(
  { type, id }: FolderGrant,
  { user_id, role }: Asking,
  { department_ids }: Restriction,
): boolean {
  if (type === 'user') return id === user_id;
  return type === 'role' ? id === role : department_ids.includes(id);
}

/** Whether a permission is enough for what needs another one. */
export function isEnough(permission: Permission, needed: Permission): boolean {
  return permissions.indexOf(permission) >= permissions.indexOf(needed);
}
