import { TenantModel } from '../../db/model.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Row } from '../../kernel/statement.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { nameKey } from '../names.ts';

/** Folders and files, as they are kept. */
export class ItemModel extends TenantModel {
  static override tableName = 'cloud_items';
  static override jsonAttributes = ['metadata'];
}

export const itemColumns = [
  'id',
  'kind',
  'parent_id',
  'name',
  'description',
  'retention_until',
  'held_until',
  'external_id',
  'metadata',
  'created_by',
  'updated_by',
  'trashed_at',
  'trashed_by',
  'is_purged',
  'created_at',
  'updated_at',
  'is_restricted',
  'restricted_by',
  'folder_count',
  'file_count',
  'version_id',
  'version_number',
  'size_bytes',
  'content_type',
  'declared_type',
  'extension',
  'sha256',
  'storage_key',
] as const;

type Kept = {
  id: string;
  parent_id: string | null;
  name: string;
  description: string | null;
  retention_until: string | null;
  /** The day until which its own date and its links hold it. */
  held_until: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  created_by: string | null;
  updated_by: string | null;
  trashed_at: string | null;
  trashed_by: string | null;
  is_purged: boolean;
  created_at: string;
  updated_at: string;
};

export type FolderRow = Kept & {
  kind: 'folder';
  is_restricted: boolean;
  restricted_by: string | null;
  folder_count: number;
  file_count: number;
};

/** What a file has of its current version. */
export type Content = {
  version_id: string;
  version_number: number;
  size_bytes: number;
  content_type: string;
  declared_type: string | null;
  sha256: string;
  storage_key: string;
};

export type FileRow = Kept & Content & { kind: 'file'; extension: string };

export type ItemRow = FolderRow | FileRow;

/** The columns that follow from a name. */
export function columnsOfName(name: string): Row {
  const search_text = searchText([name]);
  return { name, name_key: nameKey(name), search_text, search_grams: gramsOf(search_text) };
}

const BY_ID = `SELECT ${itemColumns.join(', ')} FROM cloud_items WHERE organization_id = $1 AND id = $2`;

/** A row, wherever it is; undefined for none. */
export async function findItem<Found extends ItemRow>(
  { connection, organization_id }: Reader,
  id: string,
): Promise<Found | undefined> {
  const [row] = await connection.query<Found>(BY_ID, [organization_id, id]);
  return row;
}

/** The same, locked until the work commits. The tree is locked before. */
export async function lockItem<Found extends ItemRow>(
  { connection, organization_id }: Reader,
  id: string,
): Promise<Found | undefined> {
  const [row] = await connection.query<Found>(`${BY_ID} FOR NO KEY UPDATE`, [organization_id, id]);
  return row;
}
