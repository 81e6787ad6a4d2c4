import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { inFolder, ofAllFolders, seenItems } from '../folders/queries.ts';
import { type FileRow, findItem, ItemModel, itemColumns, lockItem } from '../items/model.ts';
import { scansOf, shownFile, shownItems } from '../items/shown.ts';
import { linkedTo } from '../links/queries.ts';
import type { LinkType } from '../links/types.ts';
import type { Permission } from '../permissions.ts';
import { type Place, requirePermission, seenPlace } from '../tree/place.ts';
import { foldersBelow } from '../tree/sight.ts';
import { type CloudFile, fileKind } from './record.ts';

/** A file. Errors: `not_found` also for one that the caller does not see. */
export async function fileById(reader: Reader, id: string): Promise<CloudFile> {
  return shownFile(reader, (await seenFile(reader, id)).row);
}

export type SeenFile = { row: FileRow; place: Place };

/** A living file that the caller sees, with the place that it is in. Errors: `not_found`, `folder_permission`. */
export async function seenFile(reader: Reader, id: string, needed: Permission = 'viewer'): Promise<SeenFile> {
  return inSeenPlace(reader, await findItem<FileRow>(reader, id), needed);
}

/** The same for a change, locked; the tree is locked before. Errors: `not_found`, `folder_permission`. */
export async function lockFile(reader: Reader, id: string, needed: Permission): Promise<SeenFile> {
  return inSeenPlace(reader, await lockItem<FileRow>(reader, id), needed);
}

async function inSeenPlace(reader: Reader, row: FileRow | undefined, needed: Permission): Promise<SeenFile> {
  if (row?.kind !== 'file' || row.trashed_at !== null) throw notFound();
  const place = await seenPlace(reader, row.parent_id);
  if (!place) throw notFound();
  requirePermission(place.permission, needed);
  return { row, place };
}

export type FileFilters = LookUps & {
  folder_id?: string;
  recursive?: boolean;
  search?: string;
  content_type?: string;
  extension?: string;
  sha256?: string;
  size_min?: number;
  size_max?: number;
  created_by?: string;
  link_type?: LinkType;
  link_id?: string;
};

/** The files that the filters leave. */
export async function filePage(
  reader: Reader,
  filters: FileFilters,
  window: Window,
): Promise<Page<CloudFile>> {
  const { query, hidden } = await seenItems(reader, 'file', filters);
  const { folder_id, recursive, content_type, extension, sha256, size_min, size_max, created_by } = filters;
  const { link_type, link_id, search } = filters;
  if (folder_id !== undefined && folder_id !== 'root' && recursive) {
    query.whereRaw('cloud_items.parent_id = ANY (?)', [await foldersBelow(reader, folder_id, hidden)]);
  }
  if (folder_id !== undefined && !recursive) inFolder(query, folder_id);
  else ofAllFolders(query);
  if (content_type !== undefined) query.where('cloud_items.content_type', content_type);
  if (extension !== undefined) query.where('cloud_items.extension', extension.toLowerCase());
  if (sha256 !== undefined) query.where('cloud_items.sha256', sha256.toLowerCase());
  if (size_min !== undefined) query.where('cloud_items.size_bytes', '>=', size_min);
  if (size_max !== undefined) query.where('cloud_items.size_bytes', '<=', size_max);
  if (created_by !== undefined) query.where('cloud_items.created_by', created_by);
  if (link_type !== undefined && link_id !== undefined) {
    query.whereRaw(...linkedTo(reader, { type: link_type, id: link_id }));
  } else if (link_type !== undefined || link_id !== undefined) query.whereRaw('false');
  const page = await pageOf<FileRow>(reader, {
    query,
    table: ItemModel.tableName,
    columns: itemColumns,
    prefix: 'file',
    sorts: { name: 'name_key', size_bytes: 'size_bytes' },
    walked: ['name_key', 'size_bytes', 'updated_at'],
    covered: isOfPlacesAlone(filters) ? ['name_key'] : [],
    ...(isOfFolderAlone(filters) && { total: () => fileCount(reader, folder_id!, hidden) }),
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: fileKind, asked: filters },
    search: search === undefined ? null : searchTerm(search, { phones: false }),
  });
  return { ...page, rows: (await shownItems(reader, page.rows)) as CloudFile[] };
}

/** Whether nothing but the folder narrows the list: then it has as many files as the folder counts. */
function isOfFolderAlone({ folder_id, recursive, ...others }: FileFilters): boolean {
  return folder_id !== undefined && folder_id !== 'root' && !recursive && !isFiltered(others);
}

/** Whether the list is of all folders or of a subtree, and narrowed by nothing but a search: the index of names has all of it. */
function isOfPlacesAlone({ folder_id, recursive, search: _, ...others }: FileFilters): boolean {
  return (folder_id === undefined || recursive === true) && !isFiltered(others);
}

async function fileCount(
  { connection, organization_id }: Reader,
  folder_id: string,
  hidden: readonly string[],
): Promise<number> {
  if (hidden.includes(folder_id)) return 0;
  const [folder] = await connection.query<{ file_count: number }>(
    'SELECT file_count FROM cloud_items WHERE organization_id = $1 AND id = $2',
    [organization_id, folder_id],
  );
  return folder?.file_count ?? 0;
}

/** Errors: `quarantined` for content in which malware was found. */
export async function requireReadable(reader: Reader, storage_key: string): Promise<void> {
  const scanOf = await scansOf(reader, [storage_key]);
  if (scanOf(storage_key) === 'quarantined') throw new Failure('quarantined');
}
