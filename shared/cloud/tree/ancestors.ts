import { departmentsOfPerson } from '../../attendance/departments/of-person.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { FolderGrant, Restriction } from '../permissions.ts';

/** Levels of the tree: a child of the root is on the first. */
export const MOST_DEPTH = 32;

/** A folder as what lies below it sees it. */
export type Ancestor = {
  id: string;
  name: string;
  parent_id: string | null;
  is_restricted: boolean;
  restricted_by: string | null;
  grants: FolderGrant[];
  /** The departments among the grants that who asks is in. */
  department_ids: string[];
  held_until: string | null;
  is_trashed: boolean;
};

/** The way from a folder up to the root: itself first. */
export type Way = readonly Ancestor[];

/** Folders are few levels apart, and each is read once, however many ways lead through it. */
const ABOVE = `
  WITH RECURSIVE above AS (
    SELECT id, parent_id, 1 AS level FROM cloud_items
     WHERE organization_id = $1 AND id = ${oneOf('$2')} AND kind = 'folder'
    UNION
    SELECT folder.id, folder.parent_id, above.level + 1 FROM above
      JOIN cloud_items AS folder ON folder.organization_id = $1 AND folder.id = above.parent_id
     WHERE above.level <= ${MOST_DEPTH}
  )
  SELECT folder.id, folder.name, folder.parent_id, folder.is_restricted, folder.restricted_by, folder.held_until,
         folder.trashed_at IS NOT NULL AS is_trashed,
         CASE WHEN folder.is_restricted THEN (
           SELECT coalesce(jsonb_agg(jsonb_build_object('type', type, 'id', id, 'role', role)), '[]')
             FROM cloud_grants WHERE organization_id = $1 AND folder_id = folder.id) ELSE '[]' END AS grants,
         CASE WHEN folder.is_restricted THEN ARRAY(
           SELECT id FROM cloud_grants WHERE organization_id = $1 AND folder_id = folder.id AND type = 'department'
              AND id IN (${departmentsOfPerson('$1', '$3')})) ELSE '{}' END AS department_ids
    FROM (SELECT DISTINCT id FROM above) AS found
    JOIN cloud_items AS folder ON folder.organization_id = $1 AND folder.id = found.id`;

/** By folder, the way from it up to the root; a folder that is not there has none. */
export async function waysOf(
  { connection, organization_id, actor }: Reader,
  folder_ids: readonly string[],
): Promise<(folder_id: string | null) => Way | null> {
  const ids = [...new Set(folder_ids)];
  const values = [organization_id, ids, actor.user_id];
  const rows = ids.length === 0 ? [] : await connection.query<Ancestor>(ABOVE, values);
  const folders = new Map(rows.map((row) => [row.id, row]));
  return (folder_id) => {
    const way: Ancestor[] = [];
    for (let at = folder_id; at !== null; ) {
      const folder = folders.get(at);
      if (!folder || way.length > MOST_DEPTH) return null;
      way.push(folder);
      at = folder.parent_id;
    }
    return way;
  };
}

/** What decides who may do what with something on this way; null where no folder of it is restricted. */
export function restrictionOn(way: Way): Restriction | null {
  return way.find(({ is_restricted }) => is_restricted) ?? null;
}

/** Whether something on this way lies in the trash. */
export function isInTrash(way: Way): boolean {
  return way.some(({ is_trashed }) => is_trashed);
}
