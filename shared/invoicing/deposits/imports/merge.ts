import { Failure } from '../../../kernel/failure.ts';
import { idSeries } from '../../../kernel/id.ts';
import { Work } from '../../../kernel/work.ts';
import type { Bookkeeping } from '../../../platform/bookkeeping.ts';
import { cellError } from '../../../platform/imports/cell-errors.ts';
import {
  type CellError,
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
} from '../../../platform/imports/domain.ts';
import { keepOutcomes } from '../../../platform/imports/outcomes.ts';
import { contextOf } from '../../documents/context.ts';
import { requireNear } from '../../payments/day.ts';
import { newDeposit } from '../make.ts';
import { DepositModel, depositFacts } from '../record.ts';
import { type DepositRecord, depositOf } from '../rows.ts';
import { isSum } from './cells.ts';
import { depositsByKey, depositsOfLines, knownDeposits, lineKey } from './known.ts';
import { readLine, type StatementLine } from './line.ts';
import type { DepositImportOptions } from './options.ts';
import { type Coming, firstOfKeys, judgedByKey, keptTries, triedKeys } from './own-keys.ts';

/** Rows of one transaction: a second or less, so that a pause takes effect soon. */
const CHUNK_ROWS = 500;

const TABLES = ['invoicing_deposits', 'import_outcomes'];

/** Takes the lines of a statement, each of which is a deposit that pays nothing yet. */
export async function depositSession(
  run: ImportRun<DepositImportOptions>,
  bookkeeping: Bookkeeping,
): Promise<ImportSession> {
  return {
    chunk_rows: CHUNK_ROWS,
    evens: (cells) => cells.some(isSum),
    merge: (work, _, rows) => mergeLines(work, run, rows, bookkeeping),
    lookedUp: () => TABLES,
    filled: () => TABLES,
  };
}

async function mergeLines(
  work: Work,
  run: ImportRun<DepositImportOptions>,
  rows: readonly ImportRow[],
  bookkeeping: Bookkeeping,
): Promise<Merged> {
  const counts = noCounts();
  const faults: CellError[] = [];
  const coming: Coming[] = [];
  const { today } = await contextOf(work);
  for (const row of rows) {
    const read = readLine(row, run.mapped);
    if ('left_out' in read) counts.skipped += 1;
    else if ('faults' in read) faults.push(...read.faults);
    else {
      const fault = faultOfDay(row, read.line, today);
      if (fault) faults.push(fault);
      else coming.push({ row, line: read.line });
    }
  }
  await lockDepositImports(work);
  const known = await knownDeposits(
    work,
    run.import_id,
    coming.map(({ line }) => line),
  );
  const earlier = await triedKeys(work, run, coming);
  const { sound, repeated } = judgedByKey(coming, depositsByKey(known), earlier);
  faults.push(...repeated);
  const lines = sound.map(({ line }) => line);
  const found = depositsOfLines(lines, known);
  const fresh = firstOfKeys(
    sound.filter((_, place) => found[place] === null),
    earlier,
  );
  // What was found by its own key may be another line, of which nothing is kept.
  const duplicates = new Map(
    lines.flatMap((line, place) => {
      const id = found[place];
      return id == null ? [] : [[id, line.external_id === null ? lineKey(line) : null]];
    }),
  );
  const refused = await (run.dry_run ? tried : write)(work, run, fresh, bookkeeping);
  faults.push(...refused);
  counts.error = new Set(faults.map(({ row }) => row)).size;
  counts.created = fresh.length - refused.length;
  counts.duplicate = sound.length - fresh.length;
  keepOutcomes(
    work,
    run.import_id,
    [...duplicates].map(([key, name_key]) => {
      return { key, outcome: 'unchanged', before: null, changed_at: null, name_key };
    }),
  );
  if (run.dry_run) {
    const left = new Set(refused.map(({ row }) => row));
    keepOutcomes(work, run.import_id, keptTries(fresh.filter(({ row }) => !left.has(row.row))));
  }
  await work.flush();
  await work.flushFacts();
  return { counts, faults };
}

/**
 * Imports of an organization's deposits look up what is there and add to it one chunk after the other: two of the same file at
 * once would both find nothing. Taken before deposits and what the books lock.
 */
async function lockDepositImports({ connection, organization_id }: Work): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `deposit imports ${organization_id}`,
  ]);
}

function faultOfDay(row: ImportRow, { received_on }: StatementLine, today: string): CellError | null {
  try {
    requireNear(received_on, '/received_on', { today });
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const column = row.values['received_on'] === undefined ? 'received_year' : 'received_on';
    return faultOfFailure(row, column, error);
  }
}

function faultOfFailure(
  row: ImportRow,
  column: string | null,
  { code, message, details }: Failure,
): CellError {
  return cellError(row, code, column, details.detail ?? message);
}

/** What `write` would refuse: all of it is done and taken back, since only the books know what they refuse. */
async function tried(
  work: Work,
  run: ImportRun<DepositImportOptions>,
  fresh: readonly Coming[],
  bookkeeping: Bookkeeping,
): Promise<CellError[]> {
  await work.connection.query('SAVEPOINT tried');
  const refused = await write(new Work(work, { may_change_nothing: true }), run, fresh, bookkeeping);
  await work.connection.query('ROLLBACK TO SAVEPOINT tried');
  await work.connection.query('RELEASE SAVEPOINT tried');
  return refused;
}

/** Adds deposits with their entries in the books. Answers the faults of those that the books refuse, which are not there. */
async function write(
  work: Work,
  { import_id, options, actor }: ImportRun<DepositImportOptions>,
  fresh: readonly Coming[],
  bookkeeping: Bookkeeping,
): Promise<CellError[]> {
  if (fresh.length === 0) return [];
  // Who gave a key meanwhile is seen by the next try.
  work.repeatOn('invoicing_deposits_external_id_once');
  const nextId = idSeries('dep', work.now);
  const made = new Map(
    fresh.map(({ row, line }) => {
      const deposit = newDeposit(work, line, nextId());
      return [deposit.id, { row, deposit, balance: line.balance }];
    }),
  );
  work.insertAll(
    DepositModel,
    [...made.values()].map(({ deposit, balance }) => ({ ...rowOf(deposit), balance })),
  );
  await work.flush();
  const faults: CellError[] = [];
  const gone: string[] = [];
  const grants = options.passes_soft_locks ? actor.grants : (['invoicing:write'] as const);
  const booking = work.onBehalfOf({ ...actor, grants }, work.request_id);
  await bookkeeping.keep(booking, {
    booked: [...made.keys()].map((id) => ({ type: 'deposit', id })),
    refused: ({ id }, failure) => {
      faults.push(faultOfFailure(made.get(id)!.row, 'received_on', failure));
      gone.push(id);
      made.delete(id);
    },
  });
  await booking.flushFacts();
  if (gone.length > 0) {
    work.run('DELETE FROM invoicing_deposits WHERE organization_id = $1 AND id = ANY ($2)', [
      work.organization_id,
      gone,
    ]);
  }
  for (const { deposit } of made.values()) {
    work.record(depositFacts.created, { before: null, after: depositOf(deposit) });
  }
  keepOutcomes(
    work,
    import_id,
    [...made.values()].map(({ deposit }) => {
      const { id, updated_at } = deposit;
      return {
        key: id,
        outcome: 'created',
        before: null,
        changed_at: updated_at,
        name_key: lineKey(deposit),
      };
    }),
  );
  return faults;
}

function rowOf({ allocations: _, refunds: __, ...row }: DepositRecord) {
  return { ...row, allocated: 0 };
}
