import { withCompany } from '../../crm/companies/names.ts';
import { daysBetween } from '../../kernel/days.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Statement } from '../../platform/reports/report.ts';
import { isProfitAndLoss } from '../accounts/kinds.ts';
import type { JournalKind, KindGroup } from '../journals/kinds.ts';
import { kindGroups } from '../journals/kinds.ts';
import { evidenceIdsOf } from '../journals/rows.ts';
import {
  accountName,
  balanceOf,
  type Figures,
  type FiguresByAccount,
  movementGroups,
  type ReportAccount,
  sumsOf,
  withoutClosing,
} from '../reports/figures.ts';
import { readFigures } from '../reports/read-figures.ts';
import type { DaySpan } from '../reports/segments.ts';
import { dayBefore } from '../years/days.ts';
import {
  type BookLines,
  type BookPage,
  bookConditions,
  bookLinesOf,
  type CounterAccount,
  companiesOf,
  countedLines,
  counterAccountsOf,
  departmentOf,
  type Named,
  notInBook,
  valuesOf,
} from './lines.ts';

/** What an account began with, moved and closed with. All but the sides are debit less credit. */
export type LedgerFigures = {
  /** Before the range. */
  brought_forward: bigint;
  /** With what is of kind `opening` in the range. */
  opening: bigint;
  debit: bigint;
  credit: bigint;
  closing: bigint;
};

export type LedgerRow = {
  line_id: string;
  journal_id: string;
  number: number;
  date: string;
  kind: JournalKind;
  description: string | null;
  line_description: string | null;
  counter_account: CounterAccount;
  company: Named | null;
  department: Named | null;
  tax_category: string;
  debit: number;
  credit: number;
  /** What was brought forward and every row so far. */
  balance: bigint;
  days_late: number;
  document_ids: string[];
};

/** A line with what its entry says. */
export type StoredLine = Omit<
  LedgerRow,
  'counter_account' | 'company' | 'department' | 'balance' | 'days_late' | 'document_ids'
> & {
  company_id: string | null;
  department_id: string | null;
  posted_on: string;
};

export type LedgerAccount = Pick<ReportAccount, 'id' | 'code' | 'name' | 'account_type'>;

export type GeneralLedger = LedgerFigures & {
  books_revision: number;
  account: LedgerAccount;
  rows: LedgerRow[];
  has_more: boolean;
};

/** A ledger without its rows. `from_cursor` is the balance behind the row of a cursor. */
export type LedgerBegun = {
  books_revision: number;
  account: LedgerAccount;
  lines: BookLines;
  figures: LedgerFigures;
  from_cursor: bigint;
};

/** Where a row stands in the ledger of its account. */
type Place = { date: string; number: number; line: number };

/**
 * A page of the ledger of an account. The balance at its first row comes from kept sums to the day before, and from the
 * lines of that day: the pages before are not read. Errors: `invalid_cursor`.
 */
export async function readGeneralLedger(
  reader: Reader,
  asked: AskedReport,
  language: Language,
  { limit, starting_after }: BookPage,
): Promise<GeneralLedger> {
  const lines = await bookLinesOf(reader, asked);
  const place = starting_after === undefined ? null : await placeOf(reader, lines, starting_after);
  const [{ figures, from_cursor, account, books_revision }, found] = await Promise.all([
    beginLedger(reader, asked, language, lines, place),
    linesAfter(reader, lines, place, limit + 1),
  ]);
  const page = found.slice(0, limit);
  const rows = await ledgerRows(reader, page, language, from_cursor);
  return { books_revision, account, ...figures, rows, has_more: found.length > limit };
}

/** What a ledger begins with. */
export async function beginLedger(
  reader: Reader,
  asked: AskedReport,
  language: Language,
  lines: BookLines,
  place: Place | null = null,
): Promise<LedgerBegun> {
  const account = await accountById(reader, lines.filter.account_id!);
  const { from, to } = lines;
  const start = isProfitAndLoss(account.account_type) ? asked['year_start']! : null;
  const spans: Record<string, DaySpan> = { range: { from, to } };
  if (start === null || start < from) spans['before'] = { from: start, to: dayBefore(from) };
  if (place && place.date > from) spans['until'] = { from, to: dayBefore(place.date) };
  const [found, on_day] = await Promise.all([
    readFigures(reader, { spans, filter: lines.filter }),
    place ? sumOfDay(reader, lines, place) : 0n,
  ]);
  const of = (span: string, figures: Readonly<Record<string, FiguresByAccount>> = found.spans) =>
    figures[span]?.get(account.id);
  const counted = lines.with_closing ? found.spans : withoutClosings(found.spans);
  const figures = figuresOf(of('before'), of('range', counted));
  const until = balanceOf(of('until', counted), kindGroups);
  return {
    books_revision: found.books_revision,
    account: {
      id: account.id,
      code: account.code,
      name: accountName(account, language),
      account_type: account.account_type,
    },
    lines,
    figures,
    from_cursor: figures.brought_forward + until + on_day,
  };
}

function withoutClosings(spans: Readonly<Record<string, FiguresByAccount>>) {
  return Object.fromEntries(Object.entries(spans).map(([name, figures]) => [name, withoutClosing(figures)]));
}

const moved: readonly KindGroup[] = [...movementGroups, 'closing'];

function figuresOf(before: Figures | undefined, range: Figures | undefined): LedgerFigures {
  const brought_forward = balanceOf(before, kindGroups);
  const opening = brought_forward + balanceOf(range, ['opening']);
  const { debit, credit } = sumsOf(range, moved);
  return { brought_forward, opening, debit, credit, closing: opening + debit - credit };
}

async function accountById({ connection, organization_id }: Reader, id: string): Promise<ReportAccount> {
  const [account] = await connection.query<ReportAccount>(
    'SELECT id, code, name, name_en, account_type FROM accounting_accounts WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  );
  if (!account) throw new Error(`The account ${id} of a ledger is gone`);
  return account;
}

/** Where the row of a cursor stands. Errors: `invalid_cursor` where it is none of the ledger. */
async function placeOf(
  { connection, organization_id }: Reader,
  { filter, from, to }: BookLines,
  cursor: string,
): Promise<Place> {
  const [place] = await connection.query<Place>(
    `SELECT date, number, line FROM accounting_lines
      WHERE organization_id = $1 AND id = $2 AND account_id = $3 AND number IS NOT NULL AND date BETWEEN $4 AND $5`,
    [organization_id, cursor, filter.account_id, from, to],
  );
  if (!place) throw notInBook(cursor);
  return place;
}

/** Debit less credit of the lines of a row's day to that row. */
async function sumOfDay(reader: Reader, lines: BookLines, { date, number, line }: Place): Promise<bigint> {
  const { values, add } = valuesOf(reader);
  const conditions = bookConditions({ ...lines, from: date, to: date }, add);
  const [row] = await reader.connection.query<{ sum: string }>(
    `SELECT (coalesce(sum(line.debit), 0) - coalesce(sum(line.credit), 0))::text AS sum
       FROM accounting_lines AS line
      WHERE ${conditions} AND (line.number, line.line) <= (${add(number)}::int, ${add(line)}::int)`,
    values,
  );
  return BigInt(row!.sum);
}

const COLUMNS = `
  line.id AS line_id, line.journal_id, line.number, line.date, journal.kind, journal.description,
  line.description AS line_description, line.company_id, line.department_id, line.tax_category, line.debit, line.credit,
  journal.posted_on`;

const WITH_ENTRY =
  'JOIN accounting_journals AS journal ON journal.organization_id = $1 AND journal.id = line.journal_id';

/** The lines behind a place, by date, number and line; their entries are looked up for those alone. */
async function linesAfter(
  reader: Reader,
  lines: BookLines,
  place: Place | null,
  count: number,
): Promise<StoredLine[]> {
  const { values, add } = valuesOf(reader);
  const conditions = bookConditions(lines, add);
  const after = place
    ? ` AND (line.date, line.number, line.line)
        > (${add(place.date)}::date, ${add(place.number)}::int, ${add(place.line)}::int)`
    : '';
  return reader.connection.query<StoredLine>(
    `SELECT ${COLUMNS} FROM (
       SELECT line.* FROM accounting_lines AS line WHERE ${conditions}${after}
        ORDER BY line.date, line.number, line.line LIMIT ${add(count)}) AS line
     ${WITH_ENTRY} ORDER BY line.date, line.number, line.line`,
    values,
    { prepared: false },
  );
}

/** A line as a file has it: with the name of its company, also so that no other company has it. */
export type PrintedLine = StoredLine & { company: string | null; company_label: string | null };

/** The statement that reads all lines of a ledger in their order. */
export function allLines(reader: Reader, lines: BookLines): Statement {
  const { values, add } = valuesOf(reader);
  const text = `SELECT ${COLUMNS}, coalesce(company.name, line.company_id) AS company,
           coalesce(company.label, line.company_id) AS company_label
      FROM accounting_lines AS line ${WITH_ENTRY} ${withCompany('line.company_id')}
     WHERE ${bookConditions(lines, add)} ORDER BY line.date, line.number, line.line`;
  return { text, values };
}

/** How many lines a ledger has, or one more than a PDF may have. */
export function countLedger(reader: Reader, lines: BookLines): Promise<number> {
  const { values, add } = valuesOf(reader);
  const text = `SELECT FROM accounting_lines AS line WHERE ${bookConditions(lines, add)}`;
  return countedLines(reader, { text, values });
}

/** Lines as the ledger shows them: with the names of what they point to, and the balance from what is before them. */
export async function ledgerRows(
  reader: Reader,
  lines: readonly StoredLine[],
  language: Language,
  before: bigint,
): Promise<LedgerRow[]> {
  const journal_ids = lines.map(({ journal_id }) => journal_id);
  const [counterOf, companyOf, evidenceBy] = await Promise.all([
    counterAccountsOf(reader, journal_ids, language),
    companiesOf(reader, lines),
    evidenceIdsOf(reader, journal_ids),
  ]);
  let balance = before;
  return lines.map(({ company_id, department_id, posted_on, ...line }) => {
    balance += BigInt(line.debit) - BigInt(line.credit);
    return {
      ...line,
      counter_account: counterOf(line.journal_id, line),
      company: companyOf(company_id),
      department: departmentOf(department_id),
      balance,
      days_late: daysBetween(line.date, posted_on),
      document_ids: evidenceBy(line.journal_id),
    };
  });
}
