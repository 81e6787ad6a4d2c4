import type { Readable } from 'node:stream';
import { withBulk } from '../../../db/bulk.ts';
import type { ConnectionOptions } from '../../../db/connection.ts';
import { inWork } from '../../../db/in-work.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';
import { failJob, startJob } from '../../jobs/operations.ts';
import { reasons } from '../../operators/reasons.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ImportDomain, ImportGiven } from '../domain.ts';
import { ImportFailure } from '../import-failure.ts';
import { LIMITS, type Position } from '../reading/row.ts';
import { readRows } from '../reading/rows.ts';
import type { ImportRecord } from '../record.ts';
import { actorOf, changeImport, endImport, lockImport, type Named, runOf } from './checkpoint.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { commitChunk, commitWaiting, completeImport } from './commit.ts';
import type { RunDelivery } from './delivery.ts';
import { openFile } from './opening.ts';
import type { Pace } from './pace.ts';
import { withReadingProgress } from './reading-progress.ts';
import { statisticsFor } from './statistics.ts';

/** What a run of an import works with. */
export type Runner = {
  /** The server itself, for COPY. */
  direct_url: string;
  storage: Storage;
  domains: readonly ImportDomain[];
  given: ImportGiven;
  pace: (most: number) => Pace;
  clock: () => Date;
  connection?: ConnectionOptions;
};

/**
 * Reads the file of an import and merges its rows, chunk by chunk, from the checkpoint that an earlier run left. Ends
 * when the import is complete, was paused or cancelled, or has failed for good; throws what another try may mend.
 */
export async function runImport(runner: Runner, named: Named, delivery: RunDelivery): Promise<void> {
  let row = await begun(runner, named, delivery);
  if (row === null) return;
  try {
    row = await opened(runner, row, named, delivery);
    if (row !== null) await mergeAll(runner, row, named, delivery);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    await delivery.part((work) => failImport(work, runner.domains, named, error));
  }
}

/** Marks the import as failed, if this job still works on it. */
export async function failImport(
  work: Work,
  domains: readonly ImportDomain[],
  named: Named,
  { code, message }: { code: string; message: string },
  { keepsFile = false } = {},
): Promise<void> {
  const row = await lockImport(work, named.import_id);
  if (!isOwn(row, named)) return;
  const changes = { status: 'failed', error: { code, message } } as const;
  endImport(work, domainOf(domains, row.kind), row, changes, { keepsFile });
  await failJob(work, named.job_id, { code, message });
}

/** The domain that an import belongs to. */
export function domainOf(domains: readonly ImportDomain[], kind: string): ImportDomain {
  const domain = domains.find((each) => each.kind === kind);
  if (!domain) throw new Error(`There is no import of ${kind}`);
  return domain;
}

/** Whether the job is the one that the import waits for or is worked on by. */
export function isOwn(row: ImportRecord, { job_id }: Named): boolean {
  return row.job_id === job_id && (row.status === 'queued' || row.status === 'running');
}

async function begun({ domains }: Runner, named: Named, delivery: RunDelivery): Promise<ImportRecord | null> {
  let begun: ImportRecord | null = null;
  await delivery.part(async (work) => {
    begun = null;
    const row = await lockImport(work, named.import_id);
    // Its job waits for the import to be resumed, which asks for another delivery.
    if (row.status === 'paused' && row.job_id === named.job_id) return;
    if (!isOwn(row, named)) return endOvertaken(work, row, named);
    if (await startJob(work, named.job_id)) {
      const started_at = row.started_at ?? work.now.toISOString();
      begun = changeImport(work, row, { status: 'running', started_at });
    } else {
      endImport(work, domainOf(domains, row.kind), row, { status: 'cancelled' });
    }
  });
  return begun;
}

/** Ends a job that was retried although its import continued without it; those who wait for it are notified. */
export function endOvertaken(work: Work, { status }: ImportRecord, { job_id }: Named): Promise<void> {
  return failJob(work, job_id, { code: 'invalid_transition', message: reasons.import_moved_on(status).en });
}

/** The first run keeps how the file is read, so that each later one reads it in the same way. */
async function opened(
  runner: Runner,
  row: ImportRecord,
  named: Named,
  delivery: RunDelivery,
): Promise<ImportRecord | null> {
  if (row.checkpoint_byte !== null) return row;
  const domain = domainOf(runner.domains, row.kind);
  const { exported, has_preamble } = domain;
  let fields: Awaited<ReturnType<ImportDomain['fields']>> = [];
  await delivery.part(async (work) => {
    fields = await domain.fields(work);
  });
  const file = await withReadingProgress(delivery, named, row.file_bytes, (seen) =>
    openFile(runner.storage, row, { fields, exported, has_preamble, seen }),
  );
  if (file === null) {
    // The import has ended with the job, but where the job alone was cancelled.
    await begun(runner, named, delivery);
    return null;
  }
  const { encoding, delimiter, has_header, mapping, start } = file.preview;
  const { count, remarks, ignored } = file.columns;
  const columns = file.preview.columns.slice(0, count - remarks);
  const ignored_columns = [...ignored];
  let after: ImportRecord | null = null;
  await delivery.part(async (work) => {
    after = null;
    const present = await lockImport(work, named.import_id);
    if (!isOwn(present, named) || present.checkpoint_byte !== null) return;
    const reading = { encoding, delimiter, has_header, columns, mapping, ignored_columns };
    const checkpoint = { checkpoint_byte: start.byte, checkpoint_row: start.row };
    after = changeImport(work, present, { ...reading, ...checkpoint });
  });
  return after;
}

async function mergeAll(
  runner: Runner,
  row: ImportRecord,
  named: Named,
  { organization_id, signal, draining, fence }: RunDelivery,
): Promise<void> {
  const { direct_url: url, connection, domains, given, storage, clock } = runner;
  const domain = domainOf(domains, row.kind);
  await withBulk({ url, organization_id, signal, ...connection }, async (bulk) => {
    const acting = { actor: actorOf(row), request_id: row.request_id, ip_address: null };
    const reader: Reader = { connection: bulk.connection, organization_id, ...acting, now: clock() };
    const { columns, preview } = await openFile(storage, row, {
      fields: await domain.fields(reader),
      exported: domain.exported,
      has_preamble: domain.has_preamble,
    });
    const session = await domain.open(reader, runOf(row), given);
    await session.begin?.(bulk);
    const statistics = statisticsFor(bulk.connection, organization_id);
    await statistics.refresh(session.lookedUp());
    const pace = runner.pace(session.chunk_rows);
    let position: Position = { byte: row.checkpoint_byte!, row: row.checkpoint_row! };
    const { encoding, delimiter } = preview;
    const source = fileFrom(storage, row.storage_key!, position.byte);
    const long_columns = new Set(
      columns.mapped.filter(({ field }) => field.is_long).map(({ index }) => index),
    );
    const reading = { encoding, delimiter, columns: columns.count, long_columns, start: position };
    const rows = readRows(source, reading);
    const size = () => pace.size();
    const chunks = chunksOf(rows, { columns, session, clock, size, start: position.byte });
    const run = { bulk, session, domain, named, row, columns };
    const inTry = <T>(now: Date, write: (work: Work) => Promise<T>) => {
      const fenced = async (work: Work) => {
        await fence(work.connection);
        const result = await write(work);
        signal.throwIfAborted();
        return result;
      };
      return inWork({ ...reader, now }, fenced, { may_change_nothing: true });
    };
    try {
      let began = performance.now();
      for (let next = await chunks.next(); !next.done; ) {
        const chunk: Chunk = next.value;
        refuseTooMany(row.processed_rows + row.waiting_rows + chunk.count);
        const committing = inTry(chunk.now, (work) => commitChunk(work, run, chunk, position, began));
        committing.catch(() => undefined);
        // The next chunk is read while the database merges this one.
        const following = chunks.next();
        following.catch(() => undefined);
        const after = await committing;
        if (after === null) return;
        const written = writtenOf(after) - writtenOf(row);
        row = after;
        run.row = after;
        position = chunk.end;
        await statistics.refresh(session.lookedUp());
        await pace.rest({ milliseconds: performance.now() - began, rows: chunk.count, written }, signal);
        signal.throwIfAborted();
        draining.throwIfAborted();
        began = performance.now();
        next = await following;
      }
      // Rows that wait are only copied above: merged, they take several times as long, with nobody else there.
      const waiting_pace = runner.pace(session.chunk_rows);
      while (session.keyOf) {
        began = performance.now();
        const most = waiting_pace.size();
        const after = await inTry(clock(), (work) => commitWaiting(work, run, most, position, began));
        if (after === null) return;
        const written = writtenOf(after.row) - writtenOf(run.row);
        run.row = after.row;
        if (after.count === 0) break;
        await statistics.refresh(session.lookedUp());
        const milliseconds = performance.now() - began;
        await waiting_pace.rest({ milliseconds, rows: after.count, written }, signal);
        signal.throwIfAborted();
        draining.throwIfAborted();
      }
      await inTry(clock(), (work) => completeImport(work, run, position));
    } finally {
      await chunks.return();
    }
    await statistics.refresh(session.filled());
  });
}

/** Rows so far that made or changed a record. */
function writtenOf({ created_count, updated_count }: ImportRecord): number {
  return created_count + updated_count;
}

function refuseTooMany(rows: number): void {
  if (rows <= LIMITS.rows) return;
  throw new ImportFailure('too_many_rows', reasons.too_many_rows(LIMITS.rows).en);
}

async function* fileFrom(storage: Storage, key: string, start: number): AsyncGenerator<Uint8Array> {
  const file: Readable = await storage.read(key, { start });
  yield* file;
}
