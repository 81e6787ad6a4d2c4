import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { periodOfDate } from '../days/periods.ts';
import { type DatedRow, todayBy } from './dated.ts';
import { ruleSettings } from './rules.ts';

/** The day after the latest period that is closed for anybody; null while none is. */
export async function dayAfterClosed({ connection, organization_id }: Reader): Promise<string | null> {
  const [last] = await connection.query<{ period_end: string }>(
    `SELECT period_end FROM attendance_submissions
      WHERE organization_id = $1 AND frozen_revision IS NOT NULL ORDER BY period_end DESC LIMIT 1`,
    [organization_id],
  );
  return last ? daysLater(last.period_end, 1) : null;
}

/**
 * The first day of the first open period: what is changed without a date changes from then on. While no period is closed
 * for anybody that is the running one.
 */
export function firstOpenDay(
  rows: readonly DatedRow[],
  after_closed: string | null,
  { now }: Pick<Reader, 'now'>,
): string {
  return after_closed ?? periodOfDate(ruleSettings(rows, { agreements: [] }), todayBy(rows, now)).start;
}
