import type { Database } from '../../shared/db/database.ts';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import { searchText } from '../../shared/platform/search/lines.ts';
import type { TestActor } from './actors.ts';

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

/** The first of the years that are filled; they follow each other. */
export const FIRST_YEAR = 2021;

const WORDS = ['家賃', '通信費', 'コーヒー豆', '保守料', '消耗品', '運賃', '広告', '会場費'];

/** Different descriptions; every entry has one of them. */
const DESCRIPTIONS = 1_000;

export type ManyEntries = {
  /** Of which each entry has four. */
  lines: number;
  years: number;
  companies: readonly string[];
  /** How many accounts are moved. */
  accounts?: number;
};

/**
 * Posted entries of four lines over whole years, the same number each day, with the chart and the years that are there
 * already. A company moves the same four accounts each time, as companies do. All is written by statements of SQL, past
 * the operations: what they keep beside the lines (sums, counters) is computed from the lines. Rows stand in the order of
 * time, as those stand that are written day by day.
 */
export async function seedEntries(
  database: Database,
  owner: Owner,
  { lines, years, companies, accounts = 100 }: ManyEntries,
): Promise<void> {
  const entries = Math.floor(lines / 4);
  const days = Math.round(years * 365.25) - 1;
  const texts = Array.from({ length: DESCRIPTIONS }, (_, n) => `${WORDS[n % WORDS.length]}${n}`);
  await database.withConnection(owner.organization_id, async ({ query, begin, commit }) => {
    begin();
    await query('SET LOCAL session_replication_role = replica');
    await query(
      'CREATE TEMP TABLE seed_texts (n int, description text, search_text text, grams integer[]) ON COMMIT DROP',
    );
    for (const [n, text] of texts.entries()) {
      const search_text = searchText([text]);
      await query('INSERT INTO seed_texts VALUES ($1, $2, $3, $4)', [
        n,
        text,
        search_text,
        gramsOf(search_text),
      ]);
    }
    await query(
      `CREATE TEMP TABLE seed_accounts ON COMMIT DROP AS
         SELECT id, row_number() OVER (ORDER BY code) - 1 AS n FROM accounting_accounts
          WHERE organization_id = $1 ORDER BY code LIMIT $2`,
      [owner.organization_id, accounts],
      { prepared: false },
    );
    await query(
      `CREATE TEMP TABLE seed_companies ON COMMIT DROP AS
         SELECT id, n - 1 AS n FROM unnest($1::text[]) WITH ORDINALITY AS company (id, n)`,
      [companies],
      { prepared: false },
    );
    await query(
      JOURNALS,
      [owner.organization_id, owner.user_id, entries, days, `${FIRST_YEAR}-01-01`, companies.length],
      {
        prepared: false,
      },
    );
    await query('ANALYZE seed_entries', [], { prepared: false });
    await query(LINES, [owner.organization_id, accounts], { prepared: false });
    for (const text of SUMS) await query(text, [owner.organization_id], { prepared: false });
    await commit();
  });
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
}

const AMOUNT = '(1000 + entry.n % 9973)';

const JOURNALS = `
  CREATE TEMP TABLE seed_entries ON COMMIT DROP AS
  WITH entries AS (
    SELECT n, $5::date + (n::bigint * $4 / $3)::int AS date FROM generate_series(0, $3 - 1) AS n
  ), kept AS (
    INSERT INTO accounting_journals (
        organization_id, id, fiscal_year_id, number, date, description, kind, kind_group, status, metadata, total,
        line_count, round, created_by, edited_by, posted_by, posted_at, posted_on, search_text, search_grams,
        created_at, updated_at)
    SELECT $1, 'je_0' || lpad(entry.n::text, 25, '0'), year.id,
           row_number() OVER (PARTITION BY year.id ORDER BY entry.n), entry.date, text.description, 'normal', 'normal',
           'posted', '{}', 2 * ${AMOUNT}, 4, 0, $2, $2, $2, entry.date + interval '12 hours', entry.date,
           text.search_text, text.grams, entry.date + interval '12 hours', entry.date + interval '12 hours'
      FROM entries AS entry
      JOIN accounting_fiscal_years AS year
        ON year.organization_id = $1 AND entry.date BETWEEN year.start_date AND year.end_date
      JOIN seed_texts AS text ON text.n = entry.n % ${DESCRIPTIONS}
     ORDER BY entry.n
    RETURNING id, date, number
  )
  SELECT id AS journal_id, date, number, substr(id, 5)::int AS n, substr(id, 5)::int % $6 AS company FROM kept`;

/** Four different accounts, which follow from the company; two lines on either side. */
const LINES = `
  INSERT INTO accounting_lines (organization_id, journal_id, line, id, account_id, debit, credit, tax_category, company_id,
      date, number, kind_group)
  SELECT $1, entry.journal_id, line, 'jel_' || lpad((entry.n::bigint * 4 + line)::text, 26, '0'), account.id,
         CASE WHEN line <= 2 THEN ${AMOUNT} ELSE 0 END, CASE WHEN line > 2 THEN ${AMOUNT} ELSE 0 END,
         CASE WHEN line <= 2 THEN 'P10' ELSE 'O' END, company.id, entry.date, entry.number, 'normal'
    FROM (SELECT seed_entries.*, line FROM seed_entries CROSS JOIN generate_series(1, 4) AS line) AS entry
    JOIN seed_accounts AS account ON account.n = (entry.company * 7 + line * 23) % $2
    JOIN seed_companies AS company ON company.n = entry.company
   ORDER BY entry.n, line`;

const sums = (table: string, key: string, order: string, values = key) => `
  INSERT INTO ${table} (organization_id, ${key}, debit, credit)
  SELECT organization_id, ${values}, sum(debit), sum(credit) FROM accounting_lines WHERE organization_id = $1
   GROUP BY organization_id, ${values} ORDER BY ${order}`;

const MONTH = `date_trunc('month', date)::date`;

const SUMS = [
  sums('accounting_days', 'account_id, kind_group, date', 'date'),
  sums('accounting_months', 'account_id, kind_group, month', MONTH, `account_id, kind_group, ${MONTH}`),
  sums(
    'accounting_months_by_dimension',
    'month, account_id, kind_group, company_id, department_id, tax_category',
    MONTH,
    `${MONTH}, account_id, kind_group, coalesce(company_id, ''), coalesce(department_id, ''), tax_category`,
  ),
  `UPDATE accounting_fiscal_years SET last_number = (
     SELECT coalesce(max(number), 0) FROM accounting_journals AS journal
      WHERE journal.organization_id = $1 AND journal.fiscal_year_id = accounting_fiscal_years.id)
    WHERE organization_id = $1`,
];
