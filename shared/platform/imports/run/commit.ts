import type { Bulk } from '../../../db/bulk.ts';
import { idSeries } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import { progressJob, succeedJob } from '../../jobs/operations.ts';
import { copyValue } from '../copy-text.ts';
import {
  type CellError,
  type ImportDomain,
  type ImportRow,
  type ImportSession,
  type Merged,
  noCounts,
  type OutcomeCounts,
  outcomes,
} from '../domain.ts';
import { forgetOutcomes } from '../outcomes.ts';
import type { Position } from '../reading/row.ts';
import type { ImportRecord } from '../record.ts';
import { changeImport, endImport, lockImport, type Named } from './checkpoint.ts';
import type { Chunk } from './chunks.ts';
import type { Columns } from './columns.ts';
import { forgetWaiting, keepWaiting, nextWaiting, type Waiting } from './waiting.ts';

export type Running = {
  bulk: Bulk;
  session: ImportSession;
  domain: ImportDomain;
  named: Named;
  row: ImportRecord;
  columns: Columns;
};

/**
 * Writes a chunk: its rows, error rows, counters, checkpoint and the job's progress commit together. Answers the
 * import as it is then, null when the run has to stop: the import was paused or cancelled, or another run went on.
 */
export async function commitChunk(
  work: Work,
  { bulk, session, domain, named, columns }: Running,
  chunk: Chunk,
  position: Position,
  began: number,
): Promise<ImportRecord | null> {
  const row = await standing(work, named, position);
  if (row === null) {
    work.abandon();
    return null;
  }
  const merged: Merged & { waiting?: number } = session.keyOf
    ? await wait(work, bulk, row, chunk.rows, session.keyOf)
    : await session.merge(work, bulk, chunk.rows, chunk.prepared);
  const { faults, waiting = 0 } = merged;
  const faulty = [...chunk.faults, ...faults.map((fault) => withHeader(columns, fault))].sort(
    (left, right) => left.row - right.row,
  );
  if (faulty.length > 0) await copyErrors(work, bulk, row, faulty, columns);
  const all = { ...merged.counts, error: merged.counts.error + distinctRows(chunk.faults) };
  refuseMiscount(all, chunk.count - waiting);
  return progressed(work, { domain, named }, row, {
    ...changesBy(row, { ...merged, counts: all }, began),
    waiting_rows: row.waiting_rows + waiting,
    checkpoint_byte: chunk.end.byte,
    checkpoint_row: chunk.end.row,
  });
}

/**
 * Merges the next rows that waited for the end of the file, in the way of a chunk. Answers the import as it is then, and
 * whether more rows may wait; null when the run has to stop.
 */
export async function commitWaiting(
  work: Work,
  { bulk, session, domain, named, columns }: Running,
  most: number,
  position: Position,
  began: number,
): Promise<{ row: ImportRecord; count: number } | null> {
  const row = await standing(work, named, position);
  const part = row && (await nextWaiting(work, row.id, most));
  if (!row || !part) {
    work.abandon();
    return row && { row, count: 0 };
  }
  const merged = await session.merge(work, bulk, part.rows, null);
  const faults = merged.faults.map((fault) => withHeader(columns, fault));
  if (faults.length > 0) await copyErrors(work, bulk, row, faults, columns);
  const count = part.rows.filter(({ faulty_fields }) => !faulty_fields).length;
  refuseMiscount(merged.counts, count);
  forgetWaiting(work, row.id, part.until);
  const after = await progressed(work, { domain, named }, row, {
    ...changesBy(row, merged, began),
    waiting_rows: row.waiting_rows - count,
  });
  return after && { row: after, count: part.rows.length };
}

/** What a part of the file changes of its import. */
function changesBy(
  row: ImportRecord,
  { counts, ids = null, records = 0 }: Merged,
  began: number,
): Partial<ImportRecord> {
  return {
    ...added(row, counts),
    processed_rows: row.processed_rows + outcomes.reduce((sum, name) => sum + counts[name], 0),
    record_count: row.record_count + records,
    first_id: row.first_id ?? ids?.first ?? null,
    last_id: ids?.last ?? row.last_id,
    running_milliseconds: row.running_milliseconds + Math.max(1, Math.round(performance.now() - began)),
  };
}

/** Says in the job how far the import is; one whose job is cancelled ends. */
async function progressed(
  work: Work,
  { domain, named }: Pick<Running, 'domain' | 'named'>,
  row: ImportRecord,
  changes: Partial<ImportRecord>,
): Promise<ImportRecord | null> {
  const { processed_rows: done, waiting_rows, checkpoint_byte } = { ...row, ...changes };
  const read = done + waiting_rows;
  const total = Math.max(read, Math.round((read * row.file_bytes) / checkpoint_byte!));
  const goesOn = await progressJob(work, named.job_id, { done, total, unit: 'rows' });
  if (goesOn) return changeImport(work, row, changes);
  // What waits is known by the row as it is then.
  endImport(work, domain, { ...row, ...changes }, { ...changes, status: 'cancelled' });
  return null;
}

/** Keeps the rows that say what record they are of; the others have faults, which are told and counted. */
async function wait(
  work: Work,
  bulk: Bulk,
  { id }: ImportRecord,
  rows: readonly ImportRow[],
  keyOf: (row: ImportRow) => string | null,
): Promise<Merged & { waiting: number }> {
  const kept = rows.flatMap((row): Waiting[] => {
    const key = keyOf(row);
    if (key === null && !row.faulty_fields)
      throw new Error(`Row ${row.row} has no fault, and is of no record`);
    return key === null ? [] : [{ key, row }];
  });
  await keepWaiting(work, bulk, id, kept);
  const waiting = rows.filter(({ faulty_fields }) => !faulty_fields).length;
  return { counts: noCounts(), faults: [], waiting };
}

/** A session names fields, where people look for the header of the column. */
function withHeader({ mapped }: Columns, fault: CellError): CellError {
  const column = mapped.find(({ field }) => field.name === fault.column);
  return column ? { ...fault, column: column.name } : fault;
}

/** Ends an import whose file is read to its end. */
export async function completeImport(
  work: Work,
  { domain, named }: Running,
  position: Position,
): Promise<null> {
  const row = await standing(work, named, position);
  if (row === null) {
    work.abandon();
    return null;
  }
  if (row.waiting_rows !== 0) throw new Error(`${row.waiting_rows} rows of the file wait still`);
  const total_rows = row.processed_rows;
  if (row.dry_run) forgetOutcomes(work, row.id);
  const goesOn = await progressJob(work, named.job_id, { done: total_rows, total: total_rows, unit: 'rows' });
  await work.flush();
  endImport(work, domain, row, goesOn ? { status: 'completed', total_rows } : { status: 'cancelled' });
  const counts = Object.fromEntries(outcomes.map((name) => [`${name}_count`, row[`${name}_count`]]));
  const { id: import_id, ignored_columns } = row;
  await succeedJob(work, named.job_id, { import_id, total_rows, ...counts, ignored_columns });
  return null;
}

/** The row, locked, while this run is the one that continues it from this position. */
async function standing(work: Work, named: Named, position: Position): Promise<ImportRecord | null> {
  const row = await lockImport(work, named.import_id);
  const isOwn = row.status === 'running' && row.job_id === named.job_id;
  return isOwn && row.checkpoint_byte === position.byte ? row : null;
}

function added(row: ImportRecord, counts: OutcomeCounts): Partial<ImportRecord> {
  const sums = outcomes.map((name) => [`${name}_count`, row[`${name}_count`] + counts[name]]);
  return Object.fromEntries(sums) as Partial<ImportRecord>;
}

function distinctRows(faults: readonly CellError[]): number {
  return new Set(faults.map(({ row }) => row)).size;
}

function refuseMiscount(counts: OutcomeCounts, rows: number): void {
  const sum = outcomes.reduce((total, name) => total + counts[name], 0);
  if (sum !== rows) throw new Error(`A chunk of ${rows} rows has ${sum} outcomes`);
}

/**
 * Faults are listed by their IDs, whose times follow the rows: those of rows that waited come in among the others. Remarks of
 * an earlier report are left out of the cells: the next report has its own.
 */
async function copyErrors(
  work: Work,
  bulk: Bulk,
  { id: import_id, created_at }: ImportRecord,
  faults: readonly CellError[],
  { count, remarks }: Columns,
): Promise<void> {
  const rows = Map.groupBy(faults, ({ row }) => row);
  const lines = [...rows].flatMap(([row, own]) => {
    const nextId = idSeries('ierr', new Date(Date.parse(created_at) + row));
    return own.map(({ code, column, message, cells }) => {
      const [en, ja] = typeof message === 'string' ? [message, null] : [message.en, message.ja];
      const kept = cells.length === count ? cells.slice(0, count - remarks) : cells;
      const texts = [column, en, ja, JSON.stringify(kept)].map(copyValue).join('\t');
      return `${work.organization_id}\t${import_id}\t${nextId()}\t${row}\t${code}\t${texts}\n`;
    });
  });
  await bulk.copyIn(
    'COPY import_errors (organization_id, import_id, id, row, code, "column", message, message_ja, cells) FROM STDIN',
    [Buffer.from(lines.join(''))],
  );
}
