import type { Readable } from 'node:stream';
import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Files } from '../storage/loose-files.ts';
import { StoredFileMissing } from '../storage/storage.ts';
import type { Scanner, Verdict } from './scanner.ts';

type Due = { organization_id: string; storage_key: string };

const BATCH = 100;

/** Milliseconds after which a file is tried again that the scanner gave no verdict on. */
const PAUSE = 5 * 60_000;

/**
 * Scans the files that are `pending` and due, and answers how many got a verdict. One without a verdict is due again
 * after a pause, so that it does not keep the others from being scanned. Errors: what `Scanner.check` throws, then the
 * files stay as they are; `AggregateError` at the end where files could not be read.
 */
export async function scanPendingFiles(
  files: Files,
  scanner: Scanner,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const failed: unknown[] = [];
  let count = 0;
  for (;;) {
    const due = await dueFiles(files.database, now);
    if (due.length > 0) await scanner.check();
    for (const file of due) {
      if (signal.aborted) return count;
      const verdict = await verdictOn(files, scanner, file, signal).catch((error: unknown) => {
        failed.push(new Error(`The file ${file.storage_key} could not be read`, { cause: error }));
        return NO_VERDICT;
      });
      await settle(files.database, file, verdict, now);
      if (verdict.scan !== 'pending') count += 1;
    }
    if (due.length < BATCH) break;
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} files could not be read to be scanned`);
  return count;
}

function dueFiles(database: Database, now: Date): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, storage_key FROM files
        WHERE scan = 'pending' AND scan_due_at <= $1 ORDER BY scan_due_at LIMIT ${BATCH}`,
      [now.toISOString()],
    ),
  );
}

const NO_VERDICT: Verdict = { scan: 'pending', finding: null };

/** A file that is no longer stored has no verdict; its row goes with what releases it. */
async function verdictOn(
  { storage }: Files,
  scanner: Scanner,
  { storage_key }: Due,
  signal: AbortSignal,
): Promise<Verdict> {
  const scan = scanner.begin();
  try {
    const body: Readable = await storage.read(storage_key);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (signal.aborted) return NO_VERDICT;
      if (scan.isDecided()) break;
      await scan.send(chunk);
    }
    return await scan.end();
  } catch (error) {
    if (error instanceof StoredFileMissing) return NO_VERDICT;
    throw error;
  } finally {
    scan.abandon();
  }
}

function settle(
  database: Database,
  { organization_id, storage_key }: Due,
  { scan, finding }: Verdict,
  now: Date,
): Promise<unknown> {
  const due_at = scan === 'pending' ? new Date(now.getTime() + PAUSE).toISOString() : null;
  return database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE files SET scan = $3, finding = $4, scan_due_at = $5, scanned_at = $6
        WHERE organization_id = $1 AND storage_key = $2 AND scan = 'pending'`,
      [organization_id, storage_key, scan, finding, due_at, now.toISOString()],
    ),
  );
}
