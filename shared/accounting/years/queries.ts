import { pageOf } from '../../db/list.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { Work } from '../../kernel/work.ts';
import { type FiscalYear, FiscalYearModel } from './record.ts';

export const yearColumns = [
  'id',
  'name',
  'start_date',
  'end_date',
  'tax_books',
  'tax_rounding',
  'status',
  'closing_journal_id',
  'closed_at',
  'closed_by',
  'created_at',
  'updated_at',
] as const;

export type FiscalYearRow = Omit<FiscalYear, 'object'>;

/** A row as the API shows it. */
export function yearOf({ id, ...row }: FiscalYearRow): FiscalYear {
  return { id, object: 'accounting.fiscal_year', ...row };
}

const SELECT = `SELECT ${yearColumns.join(', ')} FROM accounting_fiscal_years WHERE organization_id = $1`;

/** One year. Errors: `not_found`. */
export async function yearById(reader: Reader, id: string): Promise<FiscalYear> {
  return required(await yearsBy(reader, `${SELECT} AND id = $2`, id));
}

/** The same, its row locked until the work commits. Errors: `not_found`. */
export async function lockYear(reader: Reader, id: string): Promise<FiscalYear> {
  return required(await yearsBy(reader, `${SELECT} AND id = $2 FOR NO KEY UPDATE`, id));
}

/** All years of the organization by their start: a company has some tens of them. */
export async function allYears(reader: Reader): Promise<FiscalYear[]> {
  return yearsBy(reader, `${SELECT} ORDER BY start_date`);
}

/** The year that holds a day, or null. */
export async function yearOfDay(reader: Reader, day: string): Promise<FiscalYear | null> {
  const [year] = await yearsBy(
    reader,
    `${SELECT} AND start_date <= $2 AND end_date >= $2 ORDER BY start_date DESC LIMIT 1`,
    day,
  );
  return year ?? null;
}

async function yearsBy(
  { connection, organization_id }: Reader,
  text: string,
  ...values: string[]
): Promise<FiscalYear[]> {
  const rows = await connection.query<FiscalYearRow>(text, [organization_id, ...values]);
  return rows.map(yearOf);
}

function required([year]: FiscalYear[]): FiscalYear {
  if (!year) throw notFound();
  return year;
}

/** A day that no year holds: 422. */
export function noFiscalYear(day: string): Failure {
  const message = {
    en: `No fiscal year holds ${day}`,
    ja: `${day} を含む会計年度がありません`,
  };
  return new Failure('no_fiscal_year', {
    detail: message,
    errors: [{ in: 'body', path: '/date', code: 'no_fiscal_year', message }],
  });
}

/** What is done in a year: several at a time write entries; one alone closes it, reopens it, or locks days of it. */
export type YearUse = 'shared' | 'exclusive';

/**
 * Locks the books of years until the work commits, in the order of their starts: who closes one waits for the entries that
 * are being written in it, and these wait for it. To be taken before any row of entries is read for a check.
 */
export async function lockBooks(work: Work, years: readonly FiscalYear[], use: YearUse): Promise<void> {
  const call = use === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  for (const { id } of years.toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1))) {
    await work.connection.query(`SELECT ${call}(hashtextextended($1, 0))`, [
      `accounting_fiscal_years ${work.organization_id} ${id}`,
    ]);
  }
}

/** A window of the organization's years. */
export async function yearPage(reader: Reader, window: Window): Promise<Page<FiscalYear>> {
  const page = await pageOf<FiscalYearRow>(reader, {
    query: FiscalYearModel.table(reader),
    table: FiscalYearModel.tableName,
    columns: yearColumns,
    prefix: 'fy',
    sorts: { start_date: 'start_date' },
    window,
    is_filtered: false,
  });
  return { ...page, rows: page.rows.map(yearOf) };
}
