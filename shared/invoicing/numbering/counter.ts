import { type Numbering, numberParts, periodOf } from '../number-pattern.ts';

/** What numbers are made by: of each kind its pattern and reset, and where a fiscal year begins. */
export type NumberingSettings<Kind extends string = string> = {
  numbering: Readonly<Record<Kind, Pick<Numbering, 'pattern' | 'reset'>>>;
  fiscal_year_start_month: number;
};

/**
 * A counter and the numbers that it counts: organization, kind and period, what stands before the sequence, the least
 * digits of the sequence, and what stands after it. In this order the parameters of FREE.
 */
export type Counter = readonly [string, string, string, string, number, string];

/** The counter of documents of a kind that were issued on a day (YYYY-MM-DD). */
export function counterOf<Kind extends string>(
  organization_id: string,
  kind: Kind,
  issue_date: string,
  settings: NumberingSettings<Kind>,
): Counter {
  const { fiscal_year_start_month } = settings;
  const numbering: Numbering = { ...settings.numbering[kind], fiscal_year_start_month };
  const { before, width, after } = numberParts(numbering, issue_date);
  return [organization_id, kind, periodOf(issue_date, numbering), before, width, after];
}

/** SQL: the number of sequence `n`. */
export const NUMBER = `$4 || lpad(n::text, greatest($5::int, length(n::text)), '0') || $6`;

/** SQL, of a WITH RECURSIVE: `free.n`, the next sequence whose number was not given by hand. */
export const FREE = `
  counted (n) AS (
    SELECT next FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 AND period = $3
     UNION ALL
    SELECT n + 1 FROM counted WHERE EXISTS (
      SELECT FROM invoicing_documents WHERE organization_id = $1 AND kind = $2 AND number = ${NUMBER})
  ), free AS (
    SELECT max(n) AS n FROM counted
  )`;
