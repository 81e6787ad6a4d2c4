import { oneOf } from '../../db/one-of.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Dates } from '../days/reach.ts';
import type { Period } from '../days/types.ts';

/** A period of a member that is closed: none of its records changes until it is returned or reopened. */
export type ClosedPeriod = Period & { status: 'submitted' | 'confirmed' };

/** The closed periods of members, each with at least one entry by member, in order of time; within some dates if given. */
export async function closedPeriodsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  dates?: Dates,
): Promise<Map<string, ClosedPeriod[]>> {
  const rows = await connection.query<ClosedPeriod & { member_id: string }>(
    `SELECT member_id, month, period_start AS start, period_end AS "end", status FROM attendance_submissions
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND frozen_revision IS NOT NULL
        AND period_end >= coalesce($3::date, '-infinity') AND period_start <= coalesce($4::date, 'infinity')
      ORDER BY member_id, period_end`,
    [organization_id, member_ids, dates?.from ?? null, dates?.to ?? null],
  );
  const closed = new Map<string, ClosedPeriod[]>(member_ids.map((id) => [id, []]));
  for (const { member_id, ...period } of rows) closed.get(member_id)!.push(period);
  return closed;
}

/** The closed period that a date lies in. */
export function closedPeriodOn(periods: readonly ClosedPeriod[], date: string): ClosedPeriod | undefined {
  return periods.find(({ start, end }) => start <= date && date <= end);
}

/**
 * Sees that no date of a range lies in a closed period of a member. Called behind the lock of the member's row, which
 * closing takes too: so nothing is closed before the work commits. Errors: `month_locked`.
 */
export async function requireOpenMonth(reader: Reader, member_id: string, dates: Dates): Promise<void> {
  const [period] = (await closedPeriodsOf(reader, [member_id], dates)).get(member_id)!;
  if (period) throw monthLocked(period.month, period.start > dates.from ? period.start : dates.from);
}

/** The refusal of a change to a date of a closed period, by the month (`YYYY-MM`) of that. */
export function monthLocked(month: string, work_date: string): Failure {
  return new Failure('month_locked', {
    detail: {
      en: `${work_date} belongs to ${month}, which is submitted or confirmed`,
      ja: `${work_date} は、提出済みまたは確定済みの ${month} の勤怠に属します`,
    },
    members: { month, work_date },
  });
}
