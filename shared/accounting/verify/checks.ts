import type { Reader } from '../../kernel/reader.ts';

/** Differences that a result lists; it counts all of them. */
export const MOST_DIFFERENCES = 100;

/** Where the books say two things. `kept` is what reports read or an entry says, `lines` what its lines come to. */
export type Difference = {
  check: string;
  /** What the difference is about: an account with its day or month, an entry, a fiscal year. */
  at: Record<string, string>;
  kept: Record<string, string> | null;
  lines: Record<string, string> | null;
};

type Check = { name: string; text: string };

const POSTED = 'FROM accounting_lines WHERE organization_id = $1 AND number IS NOT NULL';

/** A table of sums against the lines, by the columns of its key. */
function rollup(name: string, columns: Readonly<Record<string, string>>): Check {
  const names = Object.keys(columns);
  const keys = names.map((key) => `'${key}', coalesce(${key}::text, '')`).join(', ');
  const of = Object.entries(columns).map(([key, value]) => `${value} AS ${key}`);
  return {
    name,
    text: `
      SELECT jsonb_build_object(${keys}) AS at,
             CASE WHEN kept.debit IS NOT NULL THEN jsonb_build_object('debit', kept.debit::text, 'credit', kept.credit::text) END AS kept,
             CASE WHEN lines.debit IS NOT NULL THEN jsonb_build_object('debit', lines.debit::text, 'credit', lines.credit::text) END AS lines
        FROM (SELECT ${names.join(', ')}, debit, credit FROM ${name} WHERE organization_id = $1) AS kept
        FULL JOIN (SELECT ${of.join(', ')}, sum(debit) AS debit, sum(credit) AS credit ${POSTED}
                    GROUP BY ${names.map((_, place) => place + 1).join(', ')}) AS lines
       USING (${names.join(', ')})
       WHERE kept.debit IS DISTINCT FROM lines.debit OR kept.credit IS DISTINCT FROM lines.credit`,
  };
}

const month = `date_trunc('month', date)::date`;

/** What is compared, one statement each. */
export const checks: readonly Check[] = [
  rollup('accounting_days', { account_id: 'account_id', kind_group: 'kind_group', date: 'date' }),
  rollup('accounting_months', { account_id: 'account_id', kind_group: 'kind_group', month }),
  rollup('accounting_months_by_dimension', {
    month,
    account_id: 'account_id',
    kind_group: 'kind_group',
    company_id: `coalesce(company_id, '')`,
    department_id: `coalesce(department_id, '')`,
    tax_category: 'tax_category',
  }),
  {
    name: 'accounting_journals',
    text: `
      SELECT jsonb_build_object('journal_id', journal.id) AS at,
             jsonb_build_object('total', journal.total::text, 'lines', journal.line_count::text) AS kept,
             jsonb_build_object('debit', lines.debit::text, 'credit', lines.credit::text, 'lines', lines.count::text) AS lines
        FROM accounting_journals AS journal
        LEFT JOIN (
          SELECT journal_id, sum(debit) AS debit, sum(credit) AS credit, count(*) AS count,
                 min(date) AS first, max(date) AS last, min(number) AS low, max(number) AS high,
                 min(kind_group) AS one_group, max(kind_group) AS other_group
            FROM accounting_lines WHERE organization_id = $1 GROUP BY journal_id) AS lines
          ON lines.journal_id = journal.id
       WHERE journal.organization_id = $1
         AND (journal.total, journal.total, journal.line_count) IS DISTINCT FROM (lines.debit, lines.credit, lines.count)
          OR journal.organization_id = $1
         AND (journal.date, journal.date, journal.number, journal.number, journal.kind_group, journal.kind_group)
             IS DISTINCT FROM (lines.first, lines.last, lines.low, lines.high, lines.one_group, lines.other_group)`,
  },
  {
    name: 'accounting_fiscal_years',
    text: `
      SELECT jsonb_build_object('fiscal_year_id', year.id) AS at,
             jsonb_build_object('last_number', year.last_number::text) AS kept,
             jsonb_build_object('count', numbers.count::text, 'highest', numbers.highest::text) AS lines
        FROM accounting_fiscal_years AS year
        LEFT JOIN (
          SELECT fiscal_year_id, count(*) AS count, max(number) AS highest FROM accounting_journals
           WHERE organization_id = $1 AND number IS NOT NULL GROUP BY fiscal_year_id) AS numbers
          ON numbers.fiscal_year_id = year.id
       WHERE year.organization_id = $1
         AND (coalesce(numbers.count, 0), coalesce(numbers.highest, 0)) IS DISTINCT FROM (year.last_number, year.last_number)`,
  },
];

/** How many differences a check finds, and the first of them. */
export async function differencesOf(
  { connection, organization_id }: Reader,
  { name, text }: Check,
): Promise<{ count: number; first: Difference[] }> {
  const rows = await connection.query<Omit<Difference, 'check'> & { count: number }>(
    `SELECT *, (count(*) OVER ())::int AS count FROM (${text}) AS found ORDER BY at::text LIMIT ${MOST_DIFFERENCES}`,
    [organization_id],
    { prepared: false },
  );
  return {
    count: rows[0]?.count ?? 0,
    first: rows.map(({ at, kept, lines }) => ({ check: name, at, kept, lines })),
  };
}
