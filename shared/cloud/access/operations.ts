import { holdDepartments } from '../../attendance/departments/of-person.ts';
import { oneOf } from '../../db/one-of.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { roles } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { lockFolder } from '../folders/queries.ts';
import { ItemModel } from '../items/model.ts';
import type { FolderGrant } from '../permissions.ts';
import type { Ancestor } from '../tree/ancestors.ts';
import { lockTree } from '../tree/lock.ts';
import { placeOfPath } from '../tree/place.ts';
import { accessFacts, type FolderAccess, type FolderAccessInput } from './record.ts';

/** Who sees a folder, as the API shows it. */
export function accessOf({
  id,
  is_restricted,
  grants,
}: Pick<Ancestor, 'id' | 'is_restricted' | 'grants'>): FolderAccess {
  const order = ({ type, id: grantee }: FolderGrant) => `${type} ${grantee}`;
  return {
    id,
    object: 'cloud.access',
    mode: is_restricted ? 'restricted' : 'inherited',
    grants: [...grants].sort((left, right) => (order(left) < order(right) ? -1 : 1)),
  };
}

/** Who sees a folder. Errors: `not_found`, `folder_permission` for who does not manage it. */
export async function folderAccess(reader: Reader, id: string): Promise<FolderAccess> {
  const { way } = await placeOfPath(reader, id, 'manager');
  return accessOf(way[0]!);
}

/**
 * Sets who sees a folder, in the place of what was set before. Whoever restricts it manages it from then on, also without a
 * grant. Errors: `not_found`, `folder_permission`, `unknown_reference` for who is not in the organization.
 */
export async function setFolderAccess(
  work: Work,
  id: string,
  { mode, grants = [] }: FolderAccessInput,
): Promise<FolderAccess> {
  await lockTree(work, 'alone');
  const { row, place } = await lockFolder(work, id, 'manager');
  const before = accessOf(place.way[0]!);
  const given = mode === 'restricted' ? distinct(grants) : [];
  await requireGrantees(work, given, grants);
  const after = accessOf({ ...place.way[0]!, is_restricted: mode === 'restricted', grants: given });
  if (work.isSame(accessFacts.updated, before, after)) return before;
  const restricted_by = row.is_restricted ? row.restricted_by : work.actor.user_id;
  work.update(ItemModel, id, {
    is_restricted: mode === 'restricted',
    restricted_by: mode === 'restricted' ? restricted_by : null,
    updated_at: work.touch(row),
  });
  work.run('DELETE FROM cloud_grants WHERE organization_id = $1 AND folder_id = $2', [
    work.organization_id,
    id,
  ]);
  work.insertAll(
    { tableName: 'cloud_grants' },
    given.map(({ type, id: grantee, role }) => ({ folder_id: id, type, id: grantee, role })),
  );
  work.record(accessFacts.updated, { before, after });
  return after;
}

/** Of several grants for the same, the highest. */
export function distinct(grants: readonly FolderGrant[]): FolderGrant[] {
  const rank = { viewer: 0, editor: 1, manager: 2 };
  const highest = new Map<string, FolderGrant>();
  for (const grant of grants) {
    const key = `${grant.type} ${grant.id}`;
    const known = highest.get(key);
    if (!known || rank[grant.role] > rank[known.role]) highest.set(key, grant);
  }
  return [...highest.values()];
}

/** Errors: `unknown_reference` at the grant. */
async function requireGrantees(
  work: Work,
  given: readonly FolderGrant[],
  sent: readonly FolderGrant[],
): Promise<void> {
  const { connection, organization_id } = work;
  const user_ids = given.flatMap(({ type, id }) => (type === 'user' ? id : []));
  const rows = await connection.query<{ user_id: string }>(
    `SELECT user_id FROM members WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND left_at IS NULL`,
    [organization_id, user_ids],
  );
  const department_ids = given.flatMap(({ type, id }) => (type === 'department' ? id : []));
  const known = {
    user: new Set(rows.map(({ user_id }) => user_id)),
    department: await holdDepartments(work, department_ids),
    role: new Set<string>(roles),
  };
  const isKnown = ({ type, id }: FolderGrant) => known[type].has(id);
  const index = sent.findIndex((grant) => given.includes(grant) && !isKnown(grant));
  if (index >= 0) throw unknownReference(`/grants/${index}/id`, sent[index]!.id);
}
