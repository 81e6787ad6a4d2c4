import { createHash } from 'node:crypto';
import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { Failure } from '../../kernel/failure.ts';
import { systemReason } from '../../kernel/startup-error.ts';
import type { Work } from '../../kernel/work.ts';
import { ownerOf } from '../storage/key.ts';
import type { Files } from '../storage/loose-files.ts';
import { StoredFileMissing } from '../storage/storage.ts';
import { type Readings, readings } from './store-away.ts';
import type { VerifiedFiles } from './verified-files.ts';

/** What is wrong with a stored file: it is not there, or its bytes are others than those that were stored. */
export type BadFile = { storage_key: string; reason: 'missing' | 'changed' };

/** A file of which nothing is known, since the store does not give it: `why` is in the store's own words. */
export type UnreadableFile = { storage_key: string; reason: 'unreadable'; why: string };

/** `checked` counts those that were read, and those that are missing. */
export type Verified = { checked: number; bad: BadFile[]; unreadable: UnreadableFile[] };

type Row = { organization_id: string; storage_key: string; size: string; sha256: string; key: string[] };

const PAGE = 200;

/**
 * Reads every kept file of the tables back and compares size and SHA-256 with those that it was stored with. Holds no
 * connection while it reads. A file that is released meanwhile counts as neither missing nor changed, and one that cannot be
 * read is told as that: the others are read all the same. Throws StoreAway where the store gives none.
 */
export async function verifyFiles(
  files: Files,
  kept: readonly VerifiedFiles[],
  signal: AbortSignal,
): Promise<Verified> {
  const found: Verified = { checked: 0, bad: [], unreadable: [] };
  const reading = { signal, found, ...readings(files.storage) };
  for (const each of kept) await verifyTable(files, each, reading);
  return found;
}

type Reading = Readings & { signal: AbortSignal; found: Verified };

async function verifyTable(
  { database, storage }: Files,
  kept: VerifiedFiles,
  { signal, found, answered, refused }: Reading,
): Promise<void> {
  let last: Row | undefined;
  do {
    const page = await filesAfter(database, kept, last);
    for (const file of page) {
      signal.throwIfAborted();
      const { storage_key } = file;
      const fault = await faultOf(storage, file);
      if (fault?.reason === 'unreadable') await refused();
      else answered();
      const is_meant = fault !== null && (await isKept(database, kept, file));
      if (is_meant && fault.reason === 'unreadable') found.unreadable.push({ storage_key, ...fault });
      else found.checked += 1;
      if (is_meant && fault.reason !== 'unreadable') found.bad.push({ storage_key, ...fault });
    }
    last = page.length < PAGE ? undefined : page.at(-1);
  } while (last);
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
  { table, key, size, where }: VerifiedFiles,
  after: Row | undefined,
): Promise<Row[]> {
  const order = ['organization_id', ...key].join(', ');
  const places = key.map((_, index) => `$${index + 2}`).join(', ');
  const conditions = [where, after && `(${order}) > ($1, ${places})`].filter((each) => each !== undefined);
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Row>(
      `SELECT organization_id, storage_key, ${size} AS size, sha256, ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS key
         FROM ${table} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
        ORDER BY ${order} LIMIT ${PAGE}`,
      after ? [after.organization_id, ...after.key] : [],
    ),
  );
}

type Fault = Pick<BadFile, 'reason'> | Omit<UnreadableFile, 'storage_key'>;

async function faultOf(storage: Files['storage'], { storage_key, size, sha256 }: Row): Promise<Fault | null> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of (await storage.read(storage_key)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      read += chunk.length;
    }
  } catch (error) {
    if (error instanceof StoredFileMissing) return { reason: 'missing' };
    return { reason: 'unreadable', why: systemReason(error instanceof Failure ? error.cause : error) };
  }
  return read === Number(size) && hash.digest('hex') === sha256 ? null : { reason: 'changed' };
}

async function isKept(
  database: Database,
  { table, key }: VerifiedFiles,
  { organization_id, key: values, storage_key }: Row,
): Promise<boolean> {
  const same = key.map((column, index) => `${column} = $${index + 3}`).join(' AND ');
  const rows = await database.withConnection(organization_id, ({ query }) =>
    query(`SELECT FROM ${table} WHERE organization_id = $1 AND storage_key = $2 AND ${same}`, [
      organization_id,
      storage_key,
      ...values,
    ]),
  );
  return rows.length > 0;
}
