import type { Work } from '../../kernel/work.ts';
import { ownerOf } from './key.ts';
import { releaseFile } from './loose-files.ts';

/**
 * Several rows of one table may name one kept file, so that a copy costs no bytes. The rows themselves are the count:
 * a number beside them could be wrong. Sharing and giving up exclude each other on the file's row in `files`, which is
 * locked behind the rows that name it.
 */

/** A table whose rows name files: `organization_id` and `storage_key`, with an index on both. */
export type NamingTable = { tableName: string };

/**
 * Holds kept files for more rows of this transaction, and answers the keys of those that are still there: a file that
 * was given up meanwhile is not.
 */
export async function holdContents(work: Work, storage_keys: readonly string[]): Promise<Set<string>> {
  const held = await work.connection.query<{ storage_key: string }>(
    `SELECT storage_key FROM files WHERE (organization_id, storage_key) IN (${PAIRS})
      ORDER BY organization_id, storage_key FOR KEY SHARE`,
    pairsOf(storage_keys),
  );
  return new Set(held.map(({ storage_key }) => storage_key));
}

/**
 * Releases those of the files that no row of the table names any more, and answers their keys. The rows that this
 * transaction takes away are gone by then, in the database or in its `work`. Their bytes go after the commit.
 */
export async function releaseUnnamed(
  work: Work,
  { tableName }: NamingTable,
  storage_keys: readonly string[],
): Promise<string[]> {
  await work.flush();
  // A statement of its own: the next one sees the rows of whoever held the lock before.
  await work.connection.query(
    `SELECT 1 FROM files WHERE (organization_id, storage_key) IN (${PAIRS})
      ORDER BY organization_id, storage_key FOR UPDATE`,
    pairsOf(storage_keys),
  );
  const unnamed = await work.connection.query<{ storage_key: string }>(
    `SELECT file.storage_key FROM files AS file
      WHERE (file.organization_id, file.storage_key) IN (${PAIRS}) AND NOT EXISTS (
        SELECT 1 FROM ${tableName} AS row
         WHERE row.organization_id = file.organization_id AND row.storage_key = file.storage_key)`,
    pairsOf(storage_keys),
  );
  for (const { storage_key } of unnamed) releaseFile(work, storage_key);
  return unnamed.map(({ storage_key }) => storage_key);
}

const PAIRS = 'SELECT * FROM unnest($1::text[], $2::text[])';

function pairsOf(storage_keys: readonly string[]): [string[], string[]] {
  return [storage_keys.map(ownerOf), [...storage_keys]];
}
