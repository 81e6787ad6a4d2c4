import { createHash } from 'node:crypto';
import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Work } from '../../kernel/work.ts';
import { ownerOf } from '../storage/key.ts';
import type { Files } from '../storage/loose-files.ts';
import { StoredFileMissing } from '../storage/storage.ts';

/** What is wrong with a stored file: it is not there, or its bytes are others than those that arrived. */
export type BadFile = { storage_key: string; reason: 'missing' | 'changed' };

export type Verified = { checked: number; bad: BadFile[] };

type Row = { organization_id: string; storage_key: string; size: string; sha256: string };

const PAGE = 200;

/**
 * Reads every kept file from outside back and compares size and SHA-256 with those that it arrived with. Holds no
 * connection while it reads. A file that is released meanwhile counts as neither missing nor changed.
 */
export async function verifyFiles({ database, storage }: Files, signal: AbortSignal): Promise<Verified> {
  const bad: BadFile[] = [];
  let checked = 0;
  let after: Pick<Row, 'organization_id' | 'storage_key'> = { organization_id: '', storage_key: '' };
  for (;;) {
    const page = await filesAfter(database, after);
    for (const file of page) {
      signal.throwIfAborted();
      const reason = await faultOf(storage, file);
      if (reason && (await isKept(database, file))) bad.push({ storage_key: file.storage_key, reason });
      checked += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { checked, bad };
    after = last;
  }
}

/** Has every kept file scanned that arrived while nothing scanned; answers how many those are. */
export async function scanUnscannedFiles(database: Database, now: Date): Promise<number> {
  const marked = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(`UPDATE files SET scan = 'pending', scan_due_at = $1 WHERE scan = 'off' RETURNING 1`, [
      now.toISOString(),
    ]),
  );
  return marked.length;
}

/** Has those of the kept files scanned that arrived while nothing scanned. */
export function scanUnscanned(work: Work, storage_keys: readonly string[]): void {
  work.run(
    `UPDATE files SET scan = 'pending', scan_due_at = $3
      WHERE (organization_id, storage_key) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND scan = 'off'`,
    [storage_keys.map(ownerOf), [...storage_keys], work.now.toISOString()],
  );
}

function filesAfter(
  database: Database,
  { organization_id, storage_key }: Pick<Row, 'organization_id' | 'storage_key'>,
): Promise<Row[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Row>(
      `SELECT organization_id, storage_key, size, sha256 FROM files
        WHERE (organization_id, storage_key) > ($1, $2) ORDER BY organization_id, storage_key LIMIT ${PAGE}`,
      [organization_id, storage_key],
    ),
  );
}

async function faultOf(
  storage: Files['storage'],
  { storage_key, size, sha256 }: Row,
): Promise<BadFile['reason'] | null> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of (await storage.read(storage_key)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      read += chunk.length;
    }
  } catch (error) {
    if (error instanceof StoredFileMissing) return 'missing';
    throw error;
  }
  return read === Number(size) && hash.digest('hex') === sha256 ? null : 'changed';
}

async function isKept(database: Database, { organization_id, storage_key }: Row): Promise<boolean> {
  const rows = await database.withConnection(organization_id, ({ query }) =>
    query('SELECT FROM files WHERE organization_id = $1 AND storage_key = $2', [
      organization_id,
      storage_key,
    ]),
  );
  return rows.length > 0;
}
