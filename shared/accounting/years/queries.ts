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

/** SQL: what taxes follow from of each year of the organization `$1`, by their start, as JSON for a statement of several things. */
export const YEARS_AS_JSON = `(
  SELECT coalesce(json_agg(json_build_object(
      'start_date', start_date, 'end_date', end_date, 'tax_rounding', tax_rounding) ORDER BY start_date), '[]')
    FROM accounting_fiscal_years WHERE organization_id = $1)`;

/** All years of the organization by their start: a company has some tens of them. */
export async function allYears(reader: Reader): Promise<FiscalYear[]> {
  return yearsBy(reader, `${SELECT} ORDER BY start_date`);
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

/** A day that no year holds: 422. `path` is where the body has it; null: nowhere. */
export function noFiscalYear(day: string, path: string | null = '/date'): Failure {
  const message = {
    en: `No fiscal year holds ${day}`,
    ja: `${day} を含む会計年度がありません`,
  };
  return new Failure('no_fiscal_year', {
    detail: message,
    ...(path !== null && { errors: [{ in: 'body', path, code: 'no_fiscal_year', message }] }),
  });
}

/**
 * The books of a year are locked until the work commits, in the order of the starts: shared by those who write entries in
 * it, by one alone who closes it, reopens it, or locks days of it. So what closes waits for what is being written, and this
 * waits for that. What the entries are checked by is read by statements behind this one.
 */
const lockText = (call: string, chosen: string) => `
  SELECT ${call}(hashtextextended('accounting_fiscal_years ' || $1 || ' ' || id, 0)) FROM (
    SELECT id FROM accounting_fiscal_years WHERE organization_id = $1 AND ${chosen} ORDER BY start_date) AS years`;

const LOCK_ALONE = lockText('pg_advisory_xact_lock', 'id = ANY ($2)');

const LOCK_SHARED = lockText(
  'pg_advisory_xact_lock_shared',
  'EXISTS (SELECT FROM unnest($2::date[]) AS day WHERE day BETWEEN start_date AND end_date)',
);

/** Locks the books of years against everybody else. */
export async function lockBooks(work: Work, years: readonly Pick<FiscalYear, 'id'>[]): Promise<void> {
  await work.connection.query(LOCK_ALONE, [work.organization_id, years.map(({ id }) => id)]);
}

/** Locks the books of the years that hold these days, shared with others who write entries. */
export async function lockBooksOf(work: Work, days: readonly string[]): Promise<void> {
  await work.connection.query(LOCK_SHARED, [work.organization_id, [...new Set(days)]]);
}

const LOCK_SHARED_BETWEEN = lockText(
  'pg_advisory_xact_lock_shared',
  'start_date <= $3::date AND end_date >= $2::date',
);

/** The same of all years from one day to another. */
export async function lockBooksBetween(work: Work, first: string, last: string): Promise<void> {
  await work.connection.query(LOCK_SHARED_BETWEEN, [work.organization_id, first, last]);
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
