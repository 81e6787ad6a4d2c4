import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { ownerOf } from '../../platform/storage/key.ts';
import type { CloudFile } from '../files/record.ts';
import type { Folder } from '../folders/record.ts';
import { linksOf } from '../links/queries.ts';
import { managesAll, permissionOf } from '../permissions.ts';
import { restrictionOn, type Way, waysOf } from '../tree/ancestors.ts';
import { askingOf } from '../tree/asking.ts';
import type { FileRow, FolderRow, ItemRow } from './model.ts';

/** Rows that the caller sees, as the API shows them: a few statements for any number of them. */
export async function shownItems(reader: Reader, rows: readonly ItemRow[]): Promise<(Folder | CloudFile)[]> {
  const files = rows.filter((row) => row.kind === 'file');
  const places = rows.flatMap((row) => (row.kind === 'folder' ? row.id : (row.parent_id ?? [])));
  const [wayOf, unseen, links, scans] = await Promise.all([
    waysOf(reader, places),
    unseenFolders(
      reader,
      rows.flatMap(({ id, kind }) => (kind === 'folder' ? id : [])),
    ),
    linksOf(
      reader,
      files.map(({ id }) => id),
    ),
    scansOf(
      reader,
      files.map(({ storage_key }) => storage_key),
    ),
  ]);
  return rows.map((row) => {
    if (row.kind === 'folder') return folderOf(reader, row, wayOf(row.id)!, unseen(row.id));
    return fileOf(reader, row, wayOf(row.parent_id)!, links(row.id), scans(row.storage_key));
  });
}

export async function shownFolder(reader: Reader, row: FolderRow): Promise<Folder> {
  return (await shownItems(reader, [row]))[0] as Folder;
}

export async function shownFile(reader: Reader, row: FileRow): Promise<CloudFile> {
  return (await shownItems(reader, [row]))[0] as CloudFile;
}

/** By folder, how many folders directly in it the caller does not see: restricted ones without a grant. */
export async function unseenFolders(
  reader: Reader,
  folder_ids: readonly string[],
): Promise<(folder_id: string) => number> {
  const asking = askingOf(reader);
  if (folder_ids.length === 0 || managesAll(asking)) return () => 0;
  const { connection, organization_id } = reader;
  const restricted = await connection.query<{ id: string; parent_id: string }>(
    `SELECT id, parent_id FROM cloud_items
      WHERE organization_id = $1 AND is_restricted AND trashed_at IS NULL AND parent_id = ${oneOf('$2')}`,
    [organization_id, folder_ids],
  );
  const wayOf = await waysOf(
    reader,
    restricted.map(({ id }) => id),
  );
  const unseen = restricted.filter(({ id }) => permissionOf(asking, restrictionOn(wayOf(id)!)) === null);
  const byFolder = Map.groupBy(unseen, ({ parent_id }) => parent_id);
  return (folder_id) => byFolder.get(folder_id)?.length ?? 0;
}

/**
 * `way` begins with the folder itself; `unseen` folders directly in it are not counted. Of folders above that the caller
 * does not see nothing is told, so a folder that was granted below one of them has no parent, and its depth leaves them out.
 */
export function folderOf(reader: Reader, row: FolderRow, way: Way, unseen: number): Folder {
  const path = seenPath(reader, way.slice(1));
  return {
    id: row.id,
    object: 'cloud.folder',
    name: row.name,
    parent_id: path.at(-1)?.id === row.parent_id ? row.parent_id : null,
    description: row.description,
    path,
    depth: path.length + 1,
    folder_count: row.folder_count - unseen,
    file_count: row.file_count,
    permission: permissionOf(askingOf(reader), restrictionOn(way))!,
    access: row.is_restricted ? 'restricted' : 'inherited',
    retention_until: row.retention_until,
    external_id: row.external_id,
    metadata: row.metadata,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** `way` begins with the folder that it is in. */
export function fileOf(
  reader: Reader,
  row: FileRow,
  way: Way,
  links: CloudFile['links'],
  scan: CloudFile['scan'],
): CloudFile {
  return {
    id: row.id,
    object: 'cloud.file',
    name: row.name,
    folder_id: row.parent_id,
    description: row.description,
    size_bytes: row.size_bytes,
    content_type: row.content_type,
    sha256: row.sha256,
    declared_type: row.declared_type,
    extension: row.extension,
    version_id: row.version_id,
    version_number: row.version_number,
    path: seenPath(reader, way),
    permission: permissionOf(askingOf(reader), restrictionOn(way))!,
    links,
    retention_until: row.retention_until,
    scan,
    external_id: row.external_id,
    metadata: row.metadata,
    created_by: row.created_by,
    updated_by: row.updated_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The folders of a way that the caller sees, from the top. */
export function seenPath(reader: Reader, way: Way): { id: string; name: string }[] {
  const asking = askingOf(reader);
  return way
    .flatMap(({ id, name }, index) =>
      permissionOf(asking, restrictionOn(way.slice(index))) === null ? [] : [{ id, name }],
    )
    .toReversed();
}

/** By stored content, what is known of malware in it. */
export async function scansOf(
  { connection }: Reader,
  storage_keys: readonly string[],
): Promise<(storage_key: string) => CloudFile['scan']> {
  const keys = [...new Set(storage_keys)];
  const rows =
    keys.length === 0
      ? []
      : await connection.query<{ storage_key: string; scan: CloudFile['scan'] }>(
          `SELECT storage_key, scan FROM files WHERE (organization_id, storage_key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
          [keys.map(ownerOf), keys],
        );
  const scans = new Map(rows.map(({ storage_key, scan }) => [storage_key, scan]));
  return (storage_key) => scans.get(storage_key) ?? 'off';
}
