import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { FiscalYear } from '../years/record.ts';

/** Years that documents are kept: ten, as after a year with a loss (法人税法施行規則 art. 26-3; art. 59 asks for seven). */
export const RETENTION_YEARS = 10;

/** Years more that what is of no fiscal year is kept, from its day. */
export const YEARS_MORE = 2;

/**
 * The day until which what is of a day is kept: so many years after the last day of the second month behind its fiscal
 * year, which is when the tax return of the year is due; without such a year two years more from the day itself.
 */
export function retentionUntil(
  years: readonly Pick<FiscalYear, 'start_date' | 'end_date'>[],
  date: string,
  retention_years: number,
): string {
  const year = years.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
  if (!year) return dayOf(Temporal.PlainDate.from(date).add({ years: retention_years + YEARS_MORE }));
  const [last_year, last_month] = year.end_date.split('-').map(Number) as [number, number];
  // Asked for each record of a list. Day 0 is the last one of the month before: months count from 0, so that is the second behind.
  const until = new Date(0);
  until.setUTCFullYear(last_year + retention_years, last_month + 2, 0);
  return until.getUTCFullYear() > 9999 ? LAST_DAY : until.toISOString().slice(0, 10);
}

const LAST_DAY = '9999-12-31';

/** No day has more than four digits of its year: what would be kept for longer is kept until the last one. */
function dayOf(date: Temporal.PlainDate): string {
  return date.year > 9999 ? LAST_DAY : date.toString();
}

/** For how many years what is kept from then on is kept at least; `since` is an instant in ISO 8601. */
export type RetentionRule = { since: string; years: number };

/** What an organization chose, the oldest first; before the first it is `RETENTION_YEARS`. */
export function retentionRules({ connection, organization_id }: Reader): Promise<RetentionRule[]> {
  return connection.query<RetentionRule>(
    'SELECT since, years FROM accounting_retention_rules WHERE organization_id = $1 ORDER BY since',
    [organization_id],
  );
}

/** JSON has an instant as the database's zone writes it: here as everything else has it. */
const SINCE = `to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: the same of the organization `$1` as JSON, for a statement of several things. */
export const RETENTION_RULES_AS_JSON = `(
  SELECT coalesce(json_agg(json_build_object('since', ${SINCE}, 'years', years) ORDER BY since), '[]')
    FROM accounting_retention_rules WHERE organization_id = $1)`;

/**
 * Years that what was made at that instant is kept: more years, once chosen, hold for all that is there, fewer for what is
 * made later.
 */
export function yearsKept(rules: readonly RetentionRule[], created_at: string): number {
  const first = rules.findLastIndex(({ since }) => since <= created_at);
  const begin = first < 0 ? RETENTION_YEARS : rules[first]!.years;
  return Math.max(begin, ...rules.slice(first + 1).map(({ years }) => years));
}

/** Has documents kept for so many years: all of them where they are more than before, else those to come. */
export function chooseRetention(work: Work, years: number): void {
  work.run(
    `INSERT INTO accounting_retention_rules (organization_id, since, years) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, since) DO UPDATE SET years = excluded.years`,
    [work.organization_id, work.now, years],
  );
}
