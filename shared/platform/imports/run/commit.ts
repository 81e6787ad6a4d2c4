import type { Bulk } from '../../../db/bulk.ts';
import { idSeries } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import { progressJob, succeedJob } from '../../jobs/operations.ts';
import { copyValue } from '../copy-text.ts';
import {
  type CellError,
  type ImportDomain,
  type ImportSession,
  type OutcomeCounts,
  outcomes,
} from '../domain.ts';
import { forgetOutcomes } from '../outcomes.ts';
import type { Position } from '../reading/row.ts';
import type { ImportRecord } from '../record.ts';
import { changeImport, endImport, lockImport, type Named } from './checkpoint.ts';
import type { Chunk } from './chunks.ts';
import type { Columns } from './columns.ts';

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
  const {
    counts,
    faults,
    ids = null,
    records = 0,
  } = await session.merge(work, bulk, chunk.rows, chunk.prepared);
  const faulty = [...chunk.faults, ...faults.map((fault) => withHeader(columns, fault))].sort(
    (left, right) => left.row - right.row,
  );
  if (faulty.length > 0) await copyErrors(work, bulk, row.id, faulty);
  const all = { ...counts, error: counts.error + distinctRows(chunk.faults) };
  refuseMiscount(all, chunk.count);
  const processed_rows = row.processed_rows + chunk.count;
  const changes: Partial<ImportRecord> = {
    ...added(row, all),
    processed_rows,
    record_count: row.record_count + records,
    checkpoint_byte: chunk.end.byte,
    checkpoint_row: chunk.end.row,
    first_id: row.first_id ?? ids?.first ?? null,
    last_id: ids?.last ?? row.last_id,
    running_milliseconds: row.running_milliseconds + Math.max(1, Math.round(performance.now() - began)),
  };
  const total = Math.max(processed_rows, Math.round((processed_rows * row.file_bytes) / chunk.end.byte));
  const goesOn = await progressJob(work, named.job_id, { done: processed_rows, total, unit: 'rows' });
  if (goesOn) return changeImport(work, row, changes);
  endImport(work, domain, row, { ...changes, status: 'cancelled' });
  return null;
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
  const total_rows = row.processed_rows;
  if (row.dry_run) forgetOutcomes(work, row.id);
  const goesOn = await progressJob(work, named.job_id, { done: total_rows, total: total_rows, unit: 'rows' });
  await work.flush();
  endImport(work, domain, row, goesOn ? { status: 'completed', total_rows } : { status: 'cancelled' });
  const counts = Object.fromEntries(outcomes.map((name) => [`${name}_count`, row[`${name}_count`]]));
  await succeedJob(work, named.job_id, { import_id: row.id, total_rows, ...counts });
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

async function copyErrors(
  work: Work,
  bulk: Bulk,
  import_id: string,
  faults: readonly CellError[],
): Promise<void> {
  const nextId = idSeries('ierr', work.now);
  const lines = faults.map(
    ({ row, code, column, message, cells }) =>
      `${work.organization_id}\t${import_id}\t${nextId()}\t${row}\t${code}\t${copyValue(column)}\t${copyValue(message)}\t${copyValue(JSON.stringify(cells))}\n`,
  );
  await bulk.copyIn(
    'COPY import_errors (organization_id, import_id, id, row, code, "column", message, cells) FROM STDIN',
    [Buffer.from(lines.join(''))],
  );
}
