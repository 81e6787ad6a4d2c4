import type { Work } from '../../kernel/work.ts';
import type { ItemRow } from '../items/model.ts';

export type Change = { folder_id: string | null; kind: ItemRow['kind']; by: 1 | -1 };

/**
 * Counts children of folders. Behind all other statements on items: a folder is locked after what lies in it, and several
 * folders in the order of their IDs; a work that counts in several has the tree for itself.
 */
export function countChildren(work: Work, changes: readonly Change[]): void {
  const counted = new Map<string, { folders: number; files: number }>();
  for (const { folder_id, kind, by } of changes) {
    if (folder_id === null) continue;
    const sums = counted.get(folder_id) ?? { folders: 0, files: 0 };
    if (kind === 'folder') sums.folders += by;
    else sums.files += by;
    counted.set(folder_id, sums);
  }
  const sorted = [...counted].sort(([left], [right]) => (left < right ? -1 : 1));
  for (const [folder_id, { folders, files }] of sorted) {
    work.run(
      `UPDATE cloud_items SET folder_count = folder_count + $3, file_count = file_count + $4
        WHERE organization_id = $1 AND id = $2`,
      [work.organization_id, folder_id, folders, files],
    );
  }
}
