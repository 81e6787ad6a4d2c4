import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import type { CloudFile } from '../files/record.ts';
import { folderIdOf } from '../items/fields.ts';
import { type FolderRow, findItem, ItemModel, type ItemRow, itemColumns, lockItem } from '../items/model.ts';
import { folderOf, shownItems, unseenFolders } from '../items/shown.ts';
import type { Permission } from '../permissions.ts';
import { type Place, placeOfPath } from '../tree/place.ts';
import { foldersBelow, hiddenFolders } from '../tree/sight.ts';
import { type Folder, folderKind } from './record.ts';

/** A folder. Errors: `not_found` also for one that the caller does not see. */
export async function folderById(reader: Reader, id: string): Promise<Folder> {
  const { way } = await placeOfPath(reader, id, 'viewer');
  const row = await findItem<FolderRow>(reader, id);
  if (!row) throw notFound();
  return folderOf(reader, row, way, (await unseenFolders(reader, [id]))(id));
}

export type LockedFolder = { row: FolderRow; place: Place; shown: Folder };

/** The same for a change, locked; the tree is locked before. Errors: `not_found`, `folder_permission`. */
export async function lockFolder(reader: Reader, id: string, needed: Permission): Promise<LockedFolder> {
  const row = await lockItem<FolderRow>(reader, id);
  if (row?.kind !== 'folder') throw notFound();
  const place = await placeOfPath(reader, id, needed);
  const unseen = await unseenFolders(reader, [id]);
  return { row, place, shown: folderOf(reader, row, place.way, unseen(id)) };
}

/** Leaves the living items of a kind that the caller sees. */
export async function seenItems(reader: Reader, kind: ItemRow['kind'], { external_id }: LookUps) {
  const hidden = await hiddenFolders(reader);
  const query = ItemModel.table(reader).where('cloud_items.kind', kind).whereNull('cloud_items.trashed_at');
  // All that lives is so; the index of keys asks for it.
  if (external_id !== undefined) query.where('cloud_items.has_lost_key', false);
  if (hidden.length > 0) {
    if (kind === 'folder') query.whereRaw('cloud_items.id <> ALL (?::text[])', [hidden]);
    else query.whereRaw(`coalesce(cloud_items.parent_id, '') <> ALL (?::text[])`, [hidden]);
  }
  return { query, hidden };
}

export type FolderFilters = LookUps & { parent_id?: string; search?: string };

/** The folders that the filters leave. */
export async function folderPage(
  reader: Reader,
  filters: FolderFilters,
  window: Window,
): Promise<Page<Folder>> {
  const { query, hidden } = await seenItems(reader, 'folder', filters);
  if (filters.parent_id !== undefined) {
    inFolder(query, filters.parent_id);
    // What was granted below an unseen folder is seen, but not where it is.
    if (hidden.includes(filters.parent_id)) query.whereRaw('false');
  } else ofAllFolders(query);
  const page = await pageOf<FolderRow>(reader, {
    query,
    table: ItemModel.tableName,
    columns: itemColumns,
    prefix: 'fold',
    sorts: { name: 'name_key' },
    walked: ['name_key', 'updated_at'],
    covered: isFiltered({ ...filters, search: undefined }) ? [] : ['name_key'],
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: folderKind, asked: filters },
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
  });
  return { ...page, rows: (await shownItems(reader, page.rows)) as Folder[] };
}

/** Leaves what lies directly in a folder, or in the root. */
export function inFolder(query: ReturnType<typeof ItemModel.table>, sent: string): void {
  const parent_id = folderIdOf(sent);
  if (parent_id === null) query.whereNull('cloud_items.parent_id');
  else query.where('cloud_items.parent_id', parent_id);
}

/** Says that a list is of more than one folder: the index of all names, which one folder's would make slow, states it. */
export function ofAllFolders(query: ReturnType<typeof ItemModel.table>): void {
  query.whereRaw(`length(cloud_items.name_key) > 0`);
}

/** What lies directly in a folder: folders, then files, by name. Errors: `not_found`. */
export async function childrenPage(
  reader: Reader,
  sent: string,
  window: Window,
): Promise<Page<Folder | CloudFile>> {
  const { folder_id } = await placeOfPath(reader, folderIdOf(sent), 'viewer');
  const hidden = await hiddenFolders(reader);
  const query = ItemModel.table(reader).whereNull('cloud_items.trashed_at');
  inFolder(query, sent);
  if (hidden.length > 0) query.whereRaw('cloud_items.id <> ALL (?::text[])', [hidden]);
  const goesOn = window.starting_after !== null && window.sort.length === 0;
  const page = goesOn
    ? await childrenBehind(reader, query, window)
    : await pageOf<ItemRow>(reader, {
        query,
        table: ItemModel.tableName,
        columns: itemColumns,
        prefix: window.starting_after?.startsWith('file_') ? 'file' : 'fold',
        sorts: { kind: 'kind', name: 'name_key', size_bytes: OF_FILES },
        window: { ...window, sort: window.sort.length > 0 ? window.sort : BY_NAME },
        ...(folder_id !== null && { total: () => childCount(reader, folder_id, hidden) }),
      });
  return { ...page, rows: await shownItems(reader, page.rows) };
}

/** Folders have no size: they come behind the largest file. */
const OF_FILES = { column: 'size_bytes', nullable: true } as const;

const BY_NAME: Window['sort'] = [
  { field: 'kind', direction: 'desc' },
  { field: 'name', direction: 'asc' },
];

/**
 * Folders behind the cursor, then files. Each kind is asked for by itself: over both, the condition for what stands behind
 * a row is none that an index can begin at. This form of a list has no total.
 */
async function childrenBehind(
  reader: Reader,
  query: ReturnType<typeof ItemModel.table>,
  window: Window,
): Promise<Page<ItemRow>> {
  const part = (kind: ItemRow['kind'], prefix: 'fold' | 'file', within: Partial<Window>) =>
    pageOf<ItemRow>(reader, {
      query: query.clone().where('cloud_items.kind', kind),
      table: ItemModel.tableName,
      columns: itemColumns,
      prefix,
      sorts: { name: 'name_key' },
      window: { ...window, sort: [{ field: 'name', direction: 'asc' }], ...within },
    });
  if (window.starting_after!.startsWith('file_')) return part('file', 'file', {});
  const folders = await part('folder', 'fold', {});
  if (folders.has_more) return folders;
  const limit = window.limit - folders.rows.length;
  const files = await part('file', 'file', { starting_after: null, limit });
  return { ...files, rows: [...folders.rows, ...files.rows] };
}

/** What a folder counts, without the restricted folders in it that the caller does not see. */
async function childCount(
  { connection, organization_id }: Reader,
  folder_id: string,
  hidden: readonly string[],
): Promise<number> {
  const [folder] = await connection.query<{ count: number }>(
    `SELECT folder_count + file_count - (
         SELECT count(*) FROM cloud_items AS child
          WHERE child.organization_id = $1 AND child.id = ANY ($3) AND child.parent_id = $2
            AND child.trashed_at IS NULL)::int AS count
       FROM cloud_items WHERE organization_id = $1 AND id = $2`,
    [organization_id, folder_id, hidden],
  );
  return folder!.count;
}

type Usage = { folder_count: number; file_count: number; size_bytes: number };

/** What is below a folder, all levels of it, as the caller sees it. Errors: `not_found`. */
export async function usageBelow(reader: Reader, sent: string): Promise<Usage> {
  const folder_id = folderIdOf(sent);
  await placeOfPath(reader, folder_id, 'viewer');
  const hidden = await hiddenFolders(reader);
  const { connection, organization_id } = reader;
  const [found] = await (folder_id === null
    ? connection.query<Usage>(USED_BY_ALL, [organization_id, hidden])
    : connection.query<Usage>(USED_BELOW, [organization_id, await foldersBelow(reader, folder_id, hidden)]));
  return found!;
}

const USED = `count(*) FILTER (WHERE kind = 'folder') AS folder_count,
  count(*) FILTER (WHERE kind = 'file') AS file_count, coalesce(sum(size_bytes), 0)::bigint AS size_bytes`;

const USED_BY_ALL = `SELECT ${USED} FROM cloud_items
  WHERE organization_id = $1 AND trashed_at IS NULL
    AND (CASE kind WHEN 'folder' THEN id ELSE coalesce(parent_id, '') END) <> ALL ($2::text[])`;

const USED_BELOW = `SELECT ${USED} FROM cloud_items
  WHERE organization_id = $1 AND trashed_at IS NULL AND parent_id = ANY ($2)
    AND (kind = 'file' OR id = ANY ($2))`;
