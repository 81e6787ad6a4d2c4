import { companiesNamed } from '../../crm/companies/names.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport } from '../../platform/reports/report.ts';
import { MOST_LINES } from '../../platform/reports/request.ts';
import { lineFilterOf } from '../reports/asked.ts';
import { type AddValue, type LineFilter, lineConditions } from '../reports/figure-statements.ts';

/** Posted lines of some days: what a book shows. */
export type BookLines = {
  from: string;
  to: string;
  filter: LineFilter;
  /** Whether closing entries of the days are among them. */
  with_closing: boolean;
};

/** The lines that a book is asked for. */
export async function bookLinesOf(reader: Reader, asked: AskedReport): Promise<BookLines> {
  const { from = '', to = '', account_id, closing_entries } = asked;
  const filter = { ...(await lineFilterOf(reader, asked)), account_id };
  return { from, to, filter, with_closing: closing_entries !== 'exclude' };
}

/** Values of a statement in the order of their places, `$1` is the organization. */
export function valuesOf({ organization_id }: Reader): { values: unknown[]; add: AddValue } {
  const values: unknown[] = [organization_id];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** The condition for the lines of a book; what is not posted has no number. */
export function bookConditions({ from, to, filter, with_closing }: BookLines, add: AddValue): string {
  const closing = with_closing ? '' : ` AND line.kind_group <> 'closing'`;
  return `line.organization_id = $1 AND line.date BETWEEN ${add(from)} AND ${add(to)}
     AND line.number IS NOT NULL${lineConditions(filter, add)}${closing}`;
}

/** A page of a book. */
export type BookPage = { limit: number; starting_after: string | undefined };

/** A cursor that names nothing of the book: 400. */
export function notInBook(cursor: string): Failure {
  return new Failure('invalid_cursor', {
    detail: {
      en: `${cursor} is not in this book; start again from the first page`,
      ja: `${cursor} はこの帳簿にありません。最初のページから取得し直してください`,
    },
  });
}

/** A record with its name, as books show it. */
export type Named = { id: string; name: string };

/** The account on the other side of an entry; where there are several, nameless but for 諸口. */
export type CounterAccount = { account_id: string | null; code: string | null; name: string };

const SUNDRY: Readonly<Record<Language, CounterAccount>> = {
  ja: { account_id: null, code: null, name: '諸口' },
  en: { account_id: null, code: null, name: 'Sundry accounts' },
};

const COUNTERS = `
  SELECT sides.journal_id, sides.is_debit, account.id AS account_id, account.code,
         CASE WHEN $3 = 'en' THEN coalesce(account.name_en, account.name) ELSE account.name END AS name
    FROM (SELECT journal_id, debit > 0 AS is_debit, min(account_id) AS one, max(account_id) AS other
            FROM accounting_lines WHERE organization_id = $1 AND journal_id = ANY ($2) GROUP BY 1, 2) AS sides
    JOIN accounting_accounts AS account ON account.organization_id = $1 AND account.id = sides.one
   WHERE sides.one = sides.other`;

/** For each line of some entries the account on the other side. */
export async function counterAccountsOf(
  { connection, organization_id }: Reader,
  journal_ids: readonly string[],
  language: Language,
): Promise<(journal_id: string, line: { debit: number }) => CounterAccount> {
  const rows = await connection.query<CounterAccount & { journal_id: string; is_debit: boolean }>(COUNTERS, [
    organization_id,
    [...new Set(journal_ids)],
    language,
  ]);
  const sides = new Map(
    rows.map(({ journal_id, is_debit, ...account }) => [`${journal_id} ${is_debit}`, account]),
  );
  return (journal_id, { debit }) => sides.get(`${journal_id} ${debit === 0}`) ?? SUNDRY[language];
}

/** The companies that lines name, those that were merged into another one as that. */
export async function companiesOf(
  reader: Reader,
  lines: readonly { company_id: string | null }[],
): Promise<(company_id: string | null) => Named | null> {
  const ids = new Set(lines.flatMap(({ company_id }) => company_id ?? []));
  const named = await companiesNamed(reader, [...ids]);
  return (id) => (id === null ? null : (named.get(id) ?? { id, name: id }));
}

/** Departments have no names before attendance keeps them. */
export function departmentOf(id: string | null): Named | null {
  return id === null ? null : { id, name: id };
}

/** How many rows a statement has, or one more than a PDF may have. */
export async function countedLines(
  { connection }: Reader,
  { text, values }: { text: string; values: readonly unknown[] },
): Promise<number> {
  const [row] = await connection.query<{ lines: number }>(
    `SELECT count(*)::int AS lines FROM (${text} LIMIT ${MOST_LINES + 1}) AS counted`,
    values,
    { prepared: false },
  );
  return row!.lines;
}
