import type { Reader } from '../../kernel/reader.ts';
import { MOST_DEPTH } from './ancestors.ts';

/** What a move or a trip to the trash asks of the folders at and below one. */
export type Subtree = {
  /** Levels of folders, 1 for a folder without folders. */
  height: number;
  /** The restricted ones. */
  restricted_ids: string[];
  /** The latest day until which a folder or file is held; null where none is held on `today`. */
  held_until: string | null;
};

/**
 * Walks the living folders at and below one; below those that count no folders nothing is looked for, and most folders are
 * such. Files are looked at by an index that holds those alone that have a date, so that their number does not matter.
 * `today` is a day of the organization.
 */
export async function subtreeOf(
  { connection, organization_id }: Reader,
  folder_id: string,
  today: string,
): Promise<Subtree> {
  const [found] = await connection.query<Subtree>(
    `WITH RECURSIVE below AS (
       SELECT id, is_restricted, held_until, folder_count, file_count, 1 AS level FROM cloud_items
        WHERE organization_id = $1 AND id = $2
       UNION ALL
       SELECT folder.id, folder.is_restricted, folder.held_until, folder.folder_count, folder.file_count, below.level + 1
         FROM below
         JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
        WHERE below.folder_count > 0 AND folder.trashed_at IS NULL AND below.level <= ${MOST_DEPTH}
     ), held AS (
       SELECT held_until FROM below WHERE held_until >= $3
       UNION ALL
       SELECT file.held_until FROM below
        CROSS JOIN LATERAL (
          SELECT held_until FROM cloud_items
           WHERE organization_id = $1 AND parent_id = below.id AND held_until >= $3 AND trashed_at IS NULL
           ORDER BY held_until DESC LIMIT 1) AS file
        WHERE below.file_count > 0
     )
     SELECT max(level)::int AS height,
            coalesce(array_agg(id) FILTER (WHERE is_restricted), '{}') AS restricted_ids,
            (SELECT max(held_until) FROM held) AS held_until
       FROM below`,
    [organization_id, folder_id, today],
  );
  return found!;
}
