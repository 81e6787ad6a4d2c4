import type { Work } from '../../kernel/work.ts';
import { type Numbering, numberParts, periodOf } from '../number-pattern.ts';

/** What numbers are made by: of each kind its pattern and reset, and where a fiscal year begins. */
export type NumberingSettings<Kind extends string = string> = {
  numbering: Readonly<Record<Kind, Pick<Numbering, 'pattern' | 'reset'>>>;
  fiscal_year_start_month: number;
};

/**
 * Gives the next number of a kind in the period of `issue_date` (YYYY-MM-DD), past those that were given by hand.
 * The counter stays locked until the work commits, so take it after all other locks; a work that is rolled back gives
 * its number back, which is why there are no holes.
 */
export async function takeNumber<Kind extends string>(
  work: Work,
  kind: Kind,
  issue_date: string,
  settings: NumberingSettings<Kind>,
): Promise<string> {
  const numbering = numberingOf(settings, kind);
  const { before, width, after } = numberParts(numbering, issue_date);
  const counter = [work.organization_id, kind, periodOf(issue_date, numbering)];
  // The second statement begins when the first one has the lock, so it sees every number given until then.
  const [, [taken]] = await Promise.all([
    work.connection.query(LOCK, counter),
    work.connection.query<{ number: string }>(TAKE, [...counter, before, width, after]),
  ]);
  return taken!.number;
}

/**
 * Holds the counters of a kind until the work commits: to be called, after all other locks, before a number is given by
 * hand, so that none is counted to meanwhile. The number may look like one of another period than that of
 * `issue_date`, so all are held, in their order.
 */
export async function holdNumbers<Kind extends string>(
  work: Work,
  kind: Kind,
  issue_date: string,
  settings: NumberingSettings<Kind>,
): Promise<void> {
  const period = periodOf(issue_date, numberingOf(settings, kind));
  await Promise.all([
    work.connection.query(HOLD, [work.organization_id, kind]),
    work.connection.query(LOCK, [work.organization_id, kind, period]),
  ]);
}

/** How documents of a kind are numbered. */
export function numberingOf<Kind extends string>(settings: NumberingSettings<Kind>, kind: Kind): Numbering {
  const { fiscal_year_start_month } = settings;
  return { ...settings.numbering[kind], fiscal_year_start_month };
}

const LOCK = `
  INSERT INTO invoicing_counters AS counter (organization_id, kind, period, next) VALUES ($1, $2, $3, 1)
      ON CONFLICT (organization_id, kind, period) DO UPDATE SET next = counter.next`;

const HOLD = `
  SELECT FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 ORDER BY period FOR NO KEY UPDATE`;

const NUMBER = `$4 || lpad(n::text, greatest($5::int, length(n::text)), '0') || $6`;

const TAKE = `
  WITH RECURSIVE counted (n) AS (
    SELECT next FROM invoicing_counters WHERE organization_id = $1 AND kind = $2 AND period = $3
     UNION ALL
    SELECT n + 1 FROM counted WHERE EXISTS (
      SELECT FROM invoicing_documents WHERE organization_id = $1 AND kind = $2 AND number = ${NUMBER})
  ), free AS (
    SELECT max(n) AS n FROM counted
  )
  UPDATE invoicing_counters SET next = n + 1
    FROM free
   WHERE organization_id = $1 AND kind = $2 AND period = $3
  RETURNING ${NUMBER} AS number`;
