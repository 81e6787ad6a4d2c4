import { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { AccountingSettings } from '../settings/record.ts';
import type { FiscalYear } from '../years/record.ts';

/** What keeps a year from being closed. */
export const Blocker = z
  .strictObject({
    code: z.enum(['previous_year_open', 'unposted_entries', 'out_of_balance', 'account_map_incomplete']),
    count: z.int(),
    ids: z
      .array(z.string().meta({ examples: ['je_01kaj2n5w5fq8b4m0g3v7x9rtc'] }))
      .describe('Up to 100 of the records.'),
  })
  .meta({ id: 'CloseBlocker' });

export type Blocker = z.output<typeof Blocker>;

/** IDs that a blocker names. */
const MOST_IDS = 100;

/** What keeps a year from being closed, whose books are locked. */
export async function blockersOf(
  work: Work,
  year: FiscalYear,
  years: readonly FiscalYear[],
  { account_map }: AccountingSettings,
): Promise<Blocker[]> {
  const { connection, organization_id } = work;
  const [unposted, [sums]] = await Promise.all([
    connection.query<{ id: string; count: number }>(
      `SELECT id, count(*) OVER () AS count FROM accounting_journals
        WHERE organization_id = $1 AND posted_at IS NULL AND date BETWEEN $2 AND $3 ORDER BY date, id LIMIT ${MOST_IDS}`,
      [organization_id, year.start_date, year.end_date],
    ),
    connection.query<{ difference: number }>(
      `SELECT COALESCE(sum(debit) - sum(credit), 0)::bigint AS difference FROM accounting_days
        WHERE organization_id = $1 AND date BETWEEN $2 AND $3`,
      [organization_id, year.start_date, year.end_date],
    ),
  ]);
  const open = years.filter(({ status, end_date }) => status === 'open' && end_date < year.start_date);
  const blockers: Blocker[] = [];
  if (open.length > 0) {
    const ids = open.slice(0, MOST_IDS).map(({ id }) => id);
    blockers.push({ code: 'previous_year_open', count: open.length, ids });
  }
  if (unposted.length > 0) {
    blockers.push({
      code: 'unposted_entries',
      count: unposted[0]!.count,
      ids: unposted.map(({ id }) => id),
    });
  }
  if (sums!.difference !== 0) blockers.push({ code: 'out_of_balance', count: 1, ids: [] });
  if (account_map.retained_earnings === null) {
    blockers.push({ code: 'account_map_incomplete', count: 1, ids: [] });
  }
  return blockers;
}

/** A year that cannot be closed yet: 409 that says why. */
export function closeBlocked(blockers: readonly Blocker[]): Failure {
  const named = blockers.map(({ code, count }) => `${code} (${count})`).join(', ');
  const detail = {
    en: `The year cannot be closed yet: ${named}`,
    ja: `年度を締められません：${named}`,
  };
  return new Failure('close_blocked', { detail, members: { blockers } });
}
