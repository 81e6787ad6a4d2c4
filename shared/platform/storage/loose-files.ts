import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { DAY } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { politePace } from '../imports/run/pace.ts';
import { ensureInstallation } from '../installation/installation.ts';
import { awaitReader, type Body } from './body.ts';
import { ownerOf } from './key.ts';
import type { LooseKeys, Place } from './loose-keys.ts';
import type { Storage, Written } from './storage.ts';

/**
 * What writes and removes files needs: the store, the table of those that no record names, and, where many files come, keys
 * that were made before.
 */
export type Files = { database: Database; storage: Storage; loose_keys?: LooseKeys };

export type NewFile = Place & {
  body: Body;
  /** In bytes. */
  limit: number;
};

/**
 * Stores a file under a new key, which names the installation that made it. It is removed a day later unless a
 * transaction keeps it (`keepFile`).
 * Errors: those of `Storage.write`; then nothing of it stays.
 */
export async function storeFile(files: Files, file: NewFile): Promise<Written & { storage_key: string }> {
  const { organization_id } = file;
  awaitReader(file.body);
  const storage_key = await newLooseFile(files, file);
  try {
    return { storage_key, ...(await files.storage.write(storage_key, file.body, { limit: file.limit })) };
  } catch (error) {
    // The sweep removes what could not be removed here.
    await discardFile(files, organization_id, storage_key).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes a key for a file that is about to be stored, whole or in pieces. What is stored under it is removed a day later
 * unless it is kept, or its time is prolonged (`prolongFile`).
 */
export async function newLooseFile(
  { database, loose_keys }: Pick<Files, 'database' | 'loose_keys'>,
  place: Place,
): Promise<string> {
  return loose_keys ? loose_keys.take(place) : (await makeLooseFiles(database, place, 1))[0]!;
}

/** Commits the rows of so many files that are to be stored within minutes, and answers their keys. */
export async function makeLooseFiles(
  database: Database,
  { organization_id, area, now }: Place,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('file', now));
  const due_at = new Date(now.getTime() + DAY).toISOString();
  const values = [organization_id, area, ids, due_at, now.toISOString()];
  const make = () =>
    database.withConnection(organization_id, ({ query }) => query<{ storage_key: string }>(MAKE, values));
  let made = await make();
  if (made.length === 0) {
    await ensureInstallation(database, now);
    made = await make();
  }
  return made.map(({ storage_key }) => storage_key);
}

/** Makes a key for what a record names before its first byte comes. The record releases it, whatever comes of it. */
export async function newStorageKey(
  { database }: Pick<Files, 'database'>,
  { organization_id, area, now }: Place,
): Promise<string> {
  const installation = await ensureInstallation(database, now);
  return `${organization_id}/${area}/${installation}/${newId('file', now)}`;
}

/** No row where this installation has not drawn its ID. */
const MAKE = `
  INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
  SELECT $1::text, concat_ws('/', $1::text, $2::text, installation.id, file.id), $4::timestamptz, $5::timestamptz
    FROM current_installation() AS installation (id), unnest($3::text[]) AS file (id)
   WHERE installation.id IS NOT NULL
  RETURNING storage_key`;

/** Lets a loose file stay until then, and answers whether it still can: its removal may have begun. */
export async function prolongFile(work: Work, storage_key: string, due_at: Date): Promise<boolean> {
  const prolonged = await work.connection.query(
    `UPDATE loose_files SET due_at = $3
      WHERE organization_id = $1 AND storage_key = $2 AND NOT is_removed RETURNING 1`,
    [ownerOf(storage_key), storage_key, due_at.toISOString()],
  );
  return prolonged.length > 0;
}

/** Keeps a stored file, if this transaction commits. Errors: `unavailable` when it took so long that it was swept. */
export async function keepFile(work: Work, storage_key: string): Promise<void> {
  const kept = await work.connection.query(
    `DELETE FROM loose_files WHERE organization_id = $1 AND storage_key = $2 AND NOT is_removed RETURNING 1`,
    [ownerOf(storage_key), storage_key],
  );
  if (kept.length === 0) {
    throw new Failure('unavailable', {
      detail: {
        en: 'The upload took too long and has expired; send it again',
        ja: 'アップロードに時間がかかり、期限が切れました。もう一度送信してください',
      },
      headers: { 'Retry-After': '1' },
    });
  }
}

/**
 * Releases a file that a record of this organization named; it is removed soon after the commit, and a trigger removes
 * its row in `files` at once.
 */
export function releaseFile(work: Work, storage_key: string): void {
  const now = work.now.toISOString();
  const organization_id = ownerOf(storage_key);
  work.insert({ tableName: 'loose_files' }, { organization_id, storage_key, due_at: now, created_at: now });
}

/**
 * That this installation made the file, or has taken over the one that did: what a restored database was given with its
 * rows may be in use by its original.
 */
const IS_OWN = 'installation_of_file(storage_key) >= (SELECT first_own_installation())';

/** Removes a file at once, unless something keeps it or it belongs to another installation. */
export async function discardFile(files: Files, organization_id: string, storage_key: string): Promise<void> {
  // First the mark, committed: from then on nothing can keep what is about to go. A transaction that keeps it just
  // now, whatever its caller believes of it, is waited for.
  const marked = await files.database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE loose_files SET is_removed = true
       WHERE organization_id = $1 AND storage_key = $2 AND ${IS_OWN} RETURNING 1`,
      [organization_id, storage_key],
    ),
  );
  if (marked.length === 0) return;
  await files.storage.remove(storage_key);
  await files.database.withConnection(organization_id, ({ query }) =>
    query('DELETE FROM loose_files WHERE organization_id = $1 AND storage_key = $2', [
      organization_id,
      storage_key,
    ]),
  );
}

/** Files that are removed together at most. */
const BATCH = 200;

/**
 * Removes this installation's files that nothing names and whose time has come, and answers how many that were; it goes slowly
 * while requests are served. One that the store does not remove stays for the next time, and does not keep the others from
 * going; then this throws at the end.
 */
export async function removeLooseFiles(files: Files, now: Date, signal: AbortSignal): Promise<number> {
  await forgetForeignFiles(files.database, now);
  const pace = politePace(files.database, BATCH);
  const failed: unknown[] = [];
  let count = 0;
  for (let after = ''; !signal.aborted; ) {
    const began = performance.now();
    const due = await dueFiles(files.database, now, { after, most: pace.size() });
    if (!due) break;
    count += await removeTogether(files, due, { now, signal, failed });
    after = due.storage_keys.at(-1)!;
    const rows = due.storage_keys.length;
    await pace.rest({ milliseconds: performance.now() - began, rows, written: rows }, signal);
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} files could not be removed`);
  return count;
}

/** Files of one organization, in the order of their keys. */
type Due = { organization_id: string; storage_keys: string[] };

/** The next files that are due; null where there are none. A key begins with its organization, so it alone gives an order. */
async function dueFiles(database: Database, now: Date, { after, most }: { after: string; most: number }) {
  const [due] = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, array_agg(storage_key ORDER BY storage_key) AS storage_keys FROM (
         SELECT organization_id, storage_key FROM loose_files
          WHERE (due_at <= $1 OR is_removed) AND storage_key > $2 AND ${IS_OWN} ORDER BY storage_key LIMIT $3) AS due
        GROUP BY organization_id ORDER BY organization_id LIMIT 1`,
      [now.toISOString(), after, most],
    ),
  );
  return due ?? null;
}

type Sweep = { now: Date; signal: AbortSignal; failed: unknown[] };

/**
 * Removes files as `discardFile` does each, with two commits for all of them; answers how many, and adds what went wrong to
 * `failed`. One that a transaction keeps just now is left to it.
 */
async function removeTogether(
  { database, storage }: Files,
  { organization_id, storage_keys }: Due,
  { now, signal, failed }: Sweep,
): Promise<number> {
  const asking = (text: string, values: unknown[]) =>
    database.withConnection(organization_id, ({ query }) =>
      query<{ storage_key: string }>(text, [organization_id, ...values]),
    );
  const gone: string[] = [];
  try {
    for (const { storage_key } of await asking(MARK, [storage_keys, now.toISOString()])) {
      if (signal.aborted) break;
      const removing = storage.remove(storage_key).then(() => gone.push(storage_key));
      await removing.catch((error) => failed.push(error));
    }
    if (gone.length > 0) await asking(FORGET, [gone]);
  } catch (error) {
    failed.push(error);
  }
  return gone.length;
}

const MARK = `
  UPDATE loose_files SET is_removed = true
   WHERE organization_id = $1 AND storage_key IN (
     SELECT storage_key FROM loose_files
      WHERE organization_id = $1 AND storage_key = ANY ($2) AND (due_at <= $3 OR is_removed) AND ${IS_OWN}
      ORDER BY storage_key FOR UPDATE SKIP LOCKED)
  RETURNING storage_key`;

const FORGET = 'DELETE FROM loose_files WHERE organization_id = $1 AND storage_key = ANY ($2)';

/** Rows that one statement forgets. */
const FORGOTTEN = 5_000;

/** An installation that is separate from its original leaves the files of the original to it for good. */
async function forgetForeignFiles(database: Database, now: Date): Promise<void> {
  await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(
      `DELETE FROM loose_files WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM loose_files
         WHERE (SELECT decision FROM installations WHERE id = current_installation()) = 'separate'
           AND (due_at <= $1 OR is_removed) AND NOT ${IS_OWN} LIMIT ${FORGOTTEN} FOR UPDATE SKIP LOCKED))`,
      [now.toISOString()],
    ),
  );
}
