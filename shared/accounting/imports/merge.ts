import { failureOf } from '../../db/constraint.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import {
  type CellError,
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
} from '../../platform/imports/domain.ts';
import { ImportFailure } from '../../platform/imports/import-failure.ts';
import { keepOutcomes } from '../../platform/imports/outcomes.ts';
import { assertLocked } from '../../platform/imports/overtaken.ts';
import { calendarOf } from '../journals/calendar.ts';
import { type Context, contextOf } from '../journals/context.ts';
import { draftOf } from '../journals/operations.ts';
import { posted } from '../journals/post.ts';
import { JournalInput } from '../journals/record.ts';
import { namesIn } from '../journals/resolve.ts';
import { type Entry, standingOf } from '../journals/rows.ts';
import { requireAction } from '../journals/transitions.ts';
import { insertEntries } from '../journals/write.ts';
import { accountsOfCells } from './accounts.ts';
import { companiesOfCells } from './companies.ts';
import { entryReader } from './entries.ts';
import { faultsOfFailure, faultsOfIssues, faultsOfOthers } from './faults.ts';
import { type LineOfRow, linesOfRow, type Names } from './lines.ts';
import type { JournalImportOptions } from './options.ts';

/** Rows of one transaction: its posts hold the counter of the year for a second or less. */
const CHUNK_ROWS = 1_000;

const TABLES = ['accounting_journals', 'accounting_lines', 'import_outcomes'];

/** Takes entries of several rows each; a faulty one goes whole to the report of errors. */
export async function journalSession(run: ImportRun<JournalImportOptions>): Promise<ImportSession> {
  return {
    chunk_rows: CHUNK_ROWS,
    units: entryReader,
    merge: (work, _, rows) => mergeEntries(work, run, rows),
    lookedUp: () => TABLES,
    filled: () => TABLES,
  };
}

/** An entry of the file: what is sent of it, or what is wrong with it; null for one that closes a year. */
type Read = { rows: ImportRow[]; lines: LineOfRow[]; input: JournalInput | null; faults: CellError[] };

async function mergeEntries(
  work: Work,
  run: ImportRun<JournalImportOptions>,
  rows: readonly ImportRow[],
): Promise<Merged> {
  const [accountOf, companyOf] = await Promise.all([
    accountsOfCells(work, textsOf(rows, ['account_code', 'debit_account', 'credit_account'])),
    companiesOfCells(work, textsOf(rows, ['company', 'debit_company', 'credit_company'])),
  ]);
  const { auto_tax } = run.options;
  const read = [...Map.groupBy(rows, ({ unit }) => unit).values()].map((unit) =>
    readEntry(unit, { accountOf, companyOf }, auto_tax),
  );
  const context = await contextOf(work);
  const drafts = await draftsOf(work, run, read, context);
  if (!run.dry_run) await writeEntries(work, run, drafts, context);
  const counts = noCounts();
  const faults: CellError[] = [];
  for (const { rows, input, faults: own } of read) {
    const known = rows.filter(({ faulty_fields }) => faulty_fields).map(({ row }) => row);
    const faulty = new Set([...known, ...own.map(({ row }) => row)]);
    if (faulty.size === 0) {
      counts[input === null ? 'skipped' : 'created'] += rows.length;
      continue;
    }
    // The engine has counted and told the rows whose cells have faults.
    counts.error += rows.length - known.length;
    faults.push(...own.filter(({ row }) => !known.includes(row)), ...faultsOfOthers(rows, faulty));
  }
  return { counts, faults, records: drafts.length };
}

function textsOf(rows: readonly ImportRow[], fields: readonly string[]): string[] {
  return rows.flatMap(({ values }) =>
    fields.flatMap((field) => (typeof values[field] === 'string' ? [values[field]] : [])),
  );
}

/** Makes of the rows of an entry what a request would send. */
function readEntry(rows: ImportRow[], names: Names, auto_tax: boolean): Read {
  const first = <Value>(field: string): Value | undefined =>
    rows.map(({ values }) => values[field] as Value | undefined).find((value) => value !== undefined);
  const kind = first<string>('kind') ?? 'normal';
  const isFaulty = rows.some(({ faulty_fields }) => faulty_fields);
  if (isFaulty || kind === 'closing') return { rows, lines: [], input: null, faults: [] };
  const faults: CellError[] = [];
  const lines = rows.flatMap((row) => linesOfRow(row, names, faults, auto_tax));
  for (const row of rows) {
    if ((row.values.kind ?? kind) !== kind) faults.push(cellError(row, 'differs', 'kind'));
  }
  if (faults.length > 0) return { rows, lines, input: null, faults };
  const { data, error } = JournalInput.safeParse({
    date: first('date'),
    kind: kind === 'reversal' ? 'normal' : kind,
    description: first('description'),
    reference: first('reference') ?? first('number'),
    lines: lines.map(({ line }) => line),
  });
  if (error) return { rows, lines, input: null, faults: faultsOfIssues(rows, lines, error) };
  return { rows, lines, input: data, faults: [] };
}

/** The drafts of what can be written, in the order of the file; what is wrong with the others is noted beside them. */
async function draftsOf(
  work: Work,
  { actor, options }: ImportRun<JournalImportOptions>,
  read: readonly Read[],
  context: Context,
): Promise<Entry[]> {
  const inputs = read.flatMap(({ input }) => input ?? []);
  if (inputs.length === 0) return [];
  const { account_map } = context.settings;
  const lines = inputs.flatMap((input) => input.lines);
  const [calendar, known] = await Promise.all([
    calendarOf(work, [...new Set(inputs.map(({ date }) => date))]),
    namesIn(work, lines, account_map),
  ]);
  // A company that was found by its name and is not there any more was removed at this moment.
  assertLocked(
    new Set(lines.flatMap(({ company_id }) => company_id ?? [])),
    [...known.companies.keys()].map((id) => ({ id })),
  );
  const grants = options.passes_soft_locks ? actor.grants : (['accounting:write'] as const);
  const drafter = { now: work.now, actor: { ...actor, grants } };
  const asking = { ...context.asking, grants: actor.grants };
  return read.flatMap((one): Entry[] => {
    if (one.input === null) return [];
    try {
      const draft = draftOf(drafter, one.input, { calendar, context, known, path: '' });
      if (options.post) requireAction(standingOf(draft.row), 'post', asking);
      return [draft];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      one.faults.push(...faultsOfFailure(one.rows, one.lines, error));
      return [];
    }
  });
}

/** Writes the entries of a chunk, and what a revert takes back. Errors: `amount_too_large`, which fails the import. */
async function writeEntries(
  work: Work,
  { import_id, options }: ImportRun<JournalImportOptions>,
  drafts: readonly Entry[],
  context: Context,
): Promise<void> {
  try {
    const journals = insertEntries(
      work,
      options.post ? await posted(work, drafts, context) : drafts,
      context,
    );
    keepOutcomes(
      work,
      import_id,
      journals.map(({ id, updated_at }) => {
        return { key: id, outcome: 'created', before: null, changed_at: updated_at };
      }),
    );
    await work.flush();
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === 'amount_too_large') throw new ImportFailure(code, message);
    throw error;
  }
  await work.flushFacts();
}
