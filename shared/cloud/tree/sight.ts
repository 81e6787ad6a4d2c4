import { departmentsOfPerson } from '../../attendance/departments/of-person.ts';
import type { Reader } from '../../kernel/reader.ts';
import { managesAll } from '../permissions.ts';
import { askingOf } from './asking.ts';

/**
 * Folders that somebody does not see: what is trashed and all below it, and restricted folders without a grant for them with
 * all below those, down to restricted folders that have one. A folder that counts no folders, as most do, has at most trashed
 * ones, which are here by themselves, unless the trash does not count.
 */
const HIDDEN = `
  WITH RECURSIVE hidden AS (
    SELECT id, folder_count, true AS is_trashed FROM cloud_items
     WHERE organization_id = $1 AND kind = 'folder' AND trashed_at IS NOT NULL AND $5
    UNION ALL
    SELECT id, folder_count, false FROM cloud_items AS folder
     WHERE organization_id = $1 AND is_restricted AND (trashed_at IS NULL OR NOT $5) AND NOT $2
       AND folder.restricted_by IS DISTINCT FROM $3 AND NOT EXISTS (
         SELECT FROM cloud_grants AS given WHERE given.organization_id = $1 AND given.folder_id = folder.id
            AND ((given.type = 'user' AND given.id = $3)
              OR (given.type = 'role' AND given.id = $4)
              OR (given.type = 'department' AND given.id IN (${departmentsOfPerson('$1', '$3')}))))
    UNION
    SELECT folder.id, folder.folder_count, hidden.is_trashed FROM hidden
      JOIN cloud_items AS folder
        ON folder.organization_id = $1 AND folder.parent_id = hidden.id AND folder.kind = 'folder'
     WHERE (hidden.folder_count > 0 OR NOT $5) AND (hidden.is_trashed OR NOT folder.is_restricted)
  )
  SELECT DISTINCT id FROM hidden`;

/** The IDs of the folders that who asks does not see: usually none or few. */
export function hiddenFolders(reader: Reader): Promise<string[]> {
  return foldersHidden(reader, true);
}

/** The same, whether in the trash or not: the restricted ones alone. */
export function deniedFolders(reader: Reader): Promise<string[]> {
  return foldersHidden(reader, false);
}

async function foldersHidden(reader: Reader, with_trash: boolean): Promise<string[]> {
  const asking = askingOf(reader);
  const rows = await reader.connection.query<{ id: string }>(HIDDEN, [
    reader.organization_id,
    managesAll(asking),
    asking.user_id,
    asking.role,
    with_trash,
  ]);
  return rows.map(({ id }) => id);
}

/**
 * The folders below one, itself among them, that who asks sees. None for one that they do not see: what was granted below it is
 * seen, but not where it is.
 */
export async function foldersBelow(
  reader: Reader,
  folder_id: string,
  hidden: readonly string[],
): Promise<string[]> {
  const unseen = new Set(hidden);
  if (unseen.has(folder_id)) return [];
  const rows = await reader.connection.query<{ id: string }>(
    `WITH RECURSIVE below AS (
       SELECT id, folder_count FROM cloud_items WHERE organization_id = $1 AND id = $2
       UNION ALL
       SELECT folder.id, folder.folder_count FROM below JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
        WHERE below.folder_count > 0 AND folder.trashed_at IS NULL
     )
     SELECT id FROM below`,
    [reader.organization_id, folder_id],
  );
  return rows.map(({ id }) => id).filter((id) => !unseen.has(id));
}
