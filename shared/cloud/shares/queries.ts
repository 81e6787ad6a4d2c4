import { isFiltered, pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { findItem } from '../items/model.ts';
import { type Permission, permissionOf } from '../permissions.ts';
import { isInTrash, restrictionOn, waysOf } from '../tree/ancestors.ts';
import { askingOf } from '../tree/asking.ts';
import { requirePermission } from '../tree/place.ts';
import { hiddenFolders } from '../tree/sight.ts';
import { type Share, ShareModel } from './record.ts';

const columns = [
  'id',
  'item_id',
  'password_hash',
  'starts_at',
  'expires_at',
  'max_downloads',
  'download_count',
  'last_download_at',
  'revoked_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ShareRow = Omit<Share, 'object' | 'resource' | 'has_password'> & {
  item_id: string;
  password_hash: string | null;
};

export function shareOf(row: ShareRow): Share {
  return {
    id: row.id,
    object: 'cloud.share',
    resource: { type: row.item_id.startsWith('fold_') ? 'folder' : 'file', id: row.item_id },
    has_password: row.password_hash !== null,
    starts_at: row.starts_at,
    expires_at: row.expires_at,
    max_downloads: row.max_downloads,
    download_count: row.download_count,
    last_download_at: row.last_download_at,
    revoked_at: row.revoked_at,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const BY_ID = `SELECT ${columns.join(', ')} FROM cloud_shares WHERE organization_id = $1 AND id = $2`;

/** A share, whatever became of it; undefined for none. */
export async function findShare(
  { connection, organization_id }: Reader,
  id: string,
): Promise<ShareRow | undefined> {
  const [row] = await connection.query<ShareRow>(BY_ID, [organization_id, id]);
  return row;
}

/** A share of what the caller sees, or saw before it went to the trash. Errors: `not_found`. */
export async function shareById(reader: Reader, id: string): Promise<Share> {
  const row = await findShare(reader, id);
  if (!row) throw notFound();
  await requireShown(reader, row, 'viewer', 'trash_too');
  return shareOf(row);
}

/**
 * A share that was not taken back for a change, locked. Errors: `not_found`, also when it was taken back;
 * `folder_permission`.
 */
export async function lockShare(reader: Reader, id: string, where: Where): Promise<ShareRow> {
  const { connection, organization_id } = reader;
  const [row] = await connection.query<ShareRow>(`${BY_ID} AND revoked_at IS NULL FOR UPDATE`, [
    organization_id,
    id,
  ]);
  if (!row) throw notFound();
  await requireShown(reader, row, 'editor', where);
  return row;
}

/** Where what a share shows may be: in the trash it is judged by the place that it was taken from. */
type Where = 'living' | 'trash_too';

/** Errors: `not_found` for what the caller does not see or what is gone, `folder_permission`. */
async function requireShown(
  reader: Reader,
  { item_id }: ShareRow,
  needed: Permission,
  where: Where,
): Promise<void> {
  const item = await findItem(reader, item_id);
  if (!item || item.is_purged) throw notFound();
  const at = item.kind === 'folder' ? item.id : item.parent_id;
  const way = (await waysOf(reader, at === null ? [] : [at]))(at);
  if (!way || (where === 'living' && (item.trashed_at !== null || isInTrash(way)))) throw notFound();
  const permission = permissionOf(askingOf(reader), restrictionOn(way));
  if (permission === null) throw notFound();
  requirePermission(permission, needed);
}

export type ShareFilters = { file_id?: string; folder_id?: string };

/** The shares of living folders and files that the caller sees. */
export async function sharePage(reader: Reader, filters: ShareFilters, window: Window): Promise<Page<Share>> {
  const query = ShareModel.table(reader).whereRaw(
    `EXISTS (SELECT FROM cloud_items AS item
       WHERE item.organization_id = ? AND item.id = cloud_shares.item_id AND item.trashed_at IS NULL
         AND (CASE item.kind WHEN 'folder' THEN item.id ELSE coalesce(item.parent_id, '') END) <> ALL (?::text[]))`,
    [reader.organization_id, await hiddenFolders(reader)],
  );
  for (const item_id of [filters.file_id, filters.folder_id]) {
    if (item_id !== undefined) query.where('cloud_shares.item_id', item_id);
  }
  const page = await pageOf<ShareRow>(reader, {
    query,
    table: ShareModel.tableName,
    columns,
    prefix: 'shr',
    window,
    is_filtered: isFiltered(filters),
  });
  return { ...page, rows: page.rows.map(shareOf) };
}
