import { Failure } from '../../kernel/failure.ts';
import { normalForm } from '../../kernel/normal-form.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type FileRow, type ItemRow, itemColumns } from '../items/model.ts';
import { scansOf } from '../items/shown.ts';
import { nameKey } from '../names.ts';
import { MOST_DEPTH } from '../tree/ancestors.ts';
import type { OpenedShare } from './opened.ts';

const COLUMNS = itemColumns.map((column) => `item.${column}`).join(', ');

/** By the keys of their names, from what is shared down to what is asked for; never through a restricted folder. */
const BY_NAMES = `
  WITH RECURSIVE way AS (
    SELECT $2::text COLLATE "C" AS id, 0 AS level
    UNION ALL
    SELECT item.id, way.level + 1 FROM way
      JOIN cloud_items AS item ON item.organization_id = $1 AND coalesce(item.parent_id, '') = way.id
       AND item.name_key = ($3::text[])[way.level + 1] AND item.trashed_at IS NULL AND NOT item.is_restricted
     WHERE way.level < cardinality($3::text[])
  )
  SELECT way.level, ${COLUMNS} FROM way
    JOIN cloud_items AS item ON item.organization_id = $1 AND item.id = way.id
   ORDER BY way.level`;

/**
 * What lies at a path below a share, by its names as they are written; the shared item itself for none. A shared file is
 * found by its own name too. Null for what is not there, or not for guests. Errors: `quarantined`; `not_scanned` for a file
 * that is shared by itself.
 */
export async function itemAt(
  reader: Reader,
  opened: OpenedShare,
  names: readonly string[],
): Promise<ItemRow | null> {
  const { item } = opened;
  if (item.kind === 'file') {
    const isIt = names.length === 0 || (names.length === 1 && isName(names[0]!, item.name));
    return isIt ? requireScanned(reader, opened, item) : null;
  }
  if (names.length === 0) return item;
  const found = await itemBelow(reader, item.id, names);
  if (found?.kind !== 'file') return found;
  return (await isForGuests(reader, opened, found)) ? found : null;
}

async function itemBelow(
  { connection, organization_id }: Reader,
  folder_id: string,
  names: readonly string[],
): Promise<ItemRow | null> {
  if (names.length > MOST_DEPTH) return null;
  const rows = await connection.query<ItemRow & { level: number }>(BY_NAMES, [
    organization_id,
    folder_id,
    names.map(nameKey),
  ]);
  // What has another letter case is another address.
  const isWhole = rows.every(({ level, name }) => level === 0 || isName(names[level - 1]!, name));
  return isWhole ? (rows[names.length] ?? null) : null;
}

function isName(sent: string, name: string): boolean {
  return normalForm(sent, 'NFC') === name;
}

/** Errors: `quarantined`, `not_scanned`. */
async function requireScanned(reader: Reader, opened: OpenedShare, file: FileRow): Promise<FileRow> {
  if (await isForGuests(reader, opened, file)) return file;
  throw new Failure('not_scanned');
}

/** Errors: `quarantined`. */
async function isForGuests(
  reader: Reader,
  { shows_unscanned }: OpenedShare,
  { storage_key }: FileRow,
): Promise<boolean> {
  const scan = (await scansOf(reader, [storage_key]))(storage_key);
  if (scan === 'quarantined') throw new Failure('quarantined');
  return scan !== 'pending' && (shows_unscanned || scan !== 'unscanned');
}

/** A place in the order of a folder's children: folders, then files, by name. */
export type After = { type: ItemRow['kind']; name: string };

export type Child = {
  name: string;
  type: ItemRow['kind'];
  size_bytes: number | null;
  updated_at: string;
};

const childrenOf = (kind: ItemRow['kind'], place = '') => `
  (SELECT item.name, item.name_key, item.kind AS type, item.size_bytes, item.updated_at FROM cloud_items AS item
     LEFT JOIN files AS stored ON stored.organization_id = item.organization_id AND stored.storage_key = item.storage_key
    WHERE item.organization_id = $1 AND item.parent_id = $2 AND item.kind = '${kind}' AND item.trashed_at IS NULL
      AND NOT item.is_restricted AND coalesce(stored.scan, 'off') <> ALL ($3::text[]) ${place}
    ORDER BY item.name_key LIMIT $4)`;

const BEHIND = 'AND item.name_key > $5';

/** By the kind of what the items lie behind. */
const children = {
  folder: `${childrenOf('folder', BEHIND)} UNION ALL ${childrenOf('file')}`,
  file: childrenOf('file', BEHIND),
};

/**
 * What lies directly in a folder of a share, as far as guests get it: at most so many items behind a place, and whether
 * there are more.
 */
export async function childrenBelow(
  { connection, organization_id }: Reader,
  { shows_unscanned }: Pick<OpenedShare, 'shows_unscanned'>,
  folder_id: string,
  { after, limit }: { after: After | null; limit: number },
): Promise<{ items: Child[]; has_more: boolean }> {
  const left_out = ['pending', 'quarantined', ...(shows_unscanned ? [] : ['unscanned'])];
  const { type, name } = after ?? { type: 'folder', name: '' };
  const rows = await connection.query<Child>(
    `SELECT name, type, size_bytes, updated_at FROM (${children[type]}) AS child
      ORDER BY type DESC, name_key LIMIT $4`,
    [organization_id, folder_id, left_out, limit + 1, nameKey(name)],
  );
  return { items: rows.slice(0, limit), has_more: rows.length > limit };
}
