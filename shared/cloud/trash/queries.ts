import { pageOf } from '../../db/list.ts';
import { DAY } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { ItemModel, type ItemRow, itemColumns } from '../items/model.ts';
import { seenPath } from '../items/shown.ts';
import { findCloudSettings } from '../settings/operations.ts';
import { waysOf } from '../tree/ancestors.ts';
import { deniedFolders } from '../tree/sight.ts';
import type { TrashItem } from './record.ts';

/** What is in the trash, as the caller saw it before: what was trashed last first, unless another order is asked for. */
export async function trashPage(reader: Reader, window: Window): Promise<Page<TrashItem>> {
  const [denied, { trash_days }] = await Promise.all([deniedFolders(reader), findCloudSettings(reader)]);
  const query = ItemModel.table(reader).whereNotNull('cloud_items.trashed_at').where({ is_purged: false });
  if (denied.length > 0) {
    query.whereRaw(
      `(CASE cloud_items.kind WHEN 'folder' THEN cloud_items.id ELSE coalesce(cloud_items.parent_id, '') END) <> ALL (?::text[])`,
      [denied],
    );
  }
  const page = await pageOf<ItemRow>(reader, {
    query,
    table: ItemModel.tableName,
    columns: itemColumns,
    prefix: window.starting_after?.startsWith('file_') ? 'file' : 'fold',
    sorts: {
      trashed_at: 'trashed_at',
      name: 'name_key',
      // Folders have none.
      size_bytes: { column: 'size_bytes', nullable: true },
    },
    window: {
      ...window,
      sort: window.sort.length > 0 ? window.sort : [{ field: 'trashed_at', direction: 'desc' }],
    },
  });
  const wayOf = await waysOf(
    reader,
    page.rows.flatMap(({ parent_id }) => parent_id ?? []),
  );
  const rows = page.rows.map((row): TrashItem => {
    const trashed_at = row.trashed_at!;
    return {
      id: row.id,
      object: `cloud.${row.kind}`,
      name: row.name,
      path: seenPath(reader, wayOf(row.parent_id)!),
      size_bytes: row.kind === 'file' ? row.size_bytes : null,
      trashed_at,
      trashed_by: row.trashed_by,
      purge_at: new Date(Date.parse(trashed_at) + trash_days * DAY).toISOString(),
    };
  });
  return { ...page, rows };
}
