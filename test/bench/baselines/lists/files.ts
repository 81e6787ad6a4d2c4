import { ItemModel, itemColumns } from '../../../../shared/cloud/items/model.ts';
import { fileOf } from '../../../../shared/cloud/items/shown.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, idsOf, type List, pageAndTotal, partsOf } from './page.ts';

/** Files of all folders with the folders above, the records that they belong to and what is known of malware in them. */
export const files: List = async (asked) => {
  const { organization_id, user_id } = asked;
  const query = ItemModel.query().where({ organization_id, kind: 'file' }).whereNull('trashed_at');
  const [rows, total] = await pageAndTotal(query, itemColumns, asked);
  const folder_ids = [...new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))];
  const storage_keys = rows.map(({ storage_key }) => storage_key);
  const [folders, links, scans] = await Promise.all([
    foldersAbove(organization_id, folder_ids),
    database('cloud_links')
      .where({ organization_id })
      .whereIn('file_id', idsOf(rows))
      .orderBy(['type', 'id'])
      .select('file_id', 'type', 'id'),
    database('files')
      .where({ organization_id })
      .whereIn('storage_key', storage_keys)
      .select('storage_key', 'scan'),
  ]);
  const links_of = partsOf(links, 'file_id');
  const scan_of = new Map(scans.map(({ storage_key, scan }) => [storage_key, scan]));
  // Without rights everybody sees and manages all.
  const reader: Any = { actor: { user_id, role: 'owner', grants: ALL } };
  const items = rows.map((row) => {
    const way: Any[] = [];
    for (let at = folders.get(row.parent_id); at; at = folders.get(at.parent_id)) way.push(at);
    return fileOf(reader, row, way, links_of(row.id), scan_of.get(row.storage_key) ?? 'off');
  });
  return { items, total };
};

async function foldersAbove(organization_id: string, ids: readonly string[]): Promise<Map<string, Any>> {
  const columns = ['id', 'parent_id', 'name'];
  const rows: Any[] = await database
    .withRecursive('above', (above) =>
      above
        .from('cloud_items')
        .where({ organization_id })
        .whereIn('id', ids)
        .select(columns)
        .union((up) =>
          up
            .from('cloud_items as folder')
            .join('above', 'above.parent_id', 'folder.id')
            .where('folder.organization_id', organization_id)
            .select(columns.map((column) => `folder.${column}`)),
        ),
    )
    .from('above')
    .select(columns);
  return new Map(rows.map((row) => [row.id, { ...row, is_restricted: false }]));
}
