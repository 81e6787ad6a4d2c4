import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { periodOfDate, periodOfMonth } from '../days/periods.ts';
import type { Period } from '../days/types.ts';
import { todayBy } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';
import { ruleSettings } from '../settings/rules.ts';
import type { SubmissionRow } from './record.ts';

/**
 * The period of a month that a member closes. The organization's row is held against other settings meanwhile: a closing day
 * changes before or after. Errors: `period_open` before its last day, or that of the member.
 */
export async function periodToClose(
  work: Work,
  month: string,
  { left_on }: { left_on: string | null },
): Promise<Period> {
  await work.connection.query('SELECT FROM organizations WHERE id = $1 FOR SHARE', [work.organization_id]);
  const rows = await datedRows(work);
  const period = periodOfMonth(ruleSettings(rows, { agreements: [] }), month);
  const last = left_on !== null && left_on < period.end ? left_on : period.end;
  if (todayBy(rows, work.now) < last) {
    throw new Failure('period_open', {
      detail: {
        en: `The period of ${month} runs to ${last}`,
        ja: `${month} の期間は ${last} までです`,
      },
      members: { month, period_end: last },
    });
  }
  return period;
}

/** The first day with a record before a period that lies in no confirmed one, and its month. */
export type Unconfirmed = { work_date: string; month: string };

/**
 * By member, the first day with a record before a period that lies in no confirmed one: what a week has counted before must
 * be settled. One statement, however many.
 */
export async function earlierUnconfirmed(
  reader: Reader,
  periods: readonly Pick<SubmissionRow, 'member_id' | 'period_start'>[],
): Promise<Map<string, Unconfirmed>> {
  const { connection, organization_id } = reader;
  const rows = await connection.query<{ member_id: string; period_start: string; work_date: string }>(
    `SELECT asked.member_id, asked.period_start, earlier.work_date
       FROM unnest($2::text[], $3::date[]) AS asked (member_id, period_start)
       CROSS JOIN LATERAL (
         SELECT record.work_date FROM attendance_records AS record
          WHERE record.organization_id = $1 AND record.member_id = asked.member_id
            AND record.work_date < asked.period_start AND NOT EXISTS (
              SELECT FROM attendance_submissions AS confirmed
               WHERE confirmed.organization_id = $1 AND confirmed.member_id = asked.member_id
                 AND confirmed.status = 'confirmed'
                 AND record.work_date BETWEEN confirmed.period_start AND confirmed.period_end)
          ORDER BY record.work_date LIMIT 1) AS earlier`,
    [
      organization_id,
      periods.map(({ member_id }) => member_id),
      periods.map(({ period_start }) => period_start),
    ],
  );
  if (rows.length === 0) return new Map();
  const settings = ruleSettings(await datedRows(reader), { agreements: [] });
  return new Map(
    rows.map(({ member_id, period_start, work_date }) => [
      earlierKey({ member_id, period_start }),
      { work_date, month: periodOfDate(settings, work_date).month },
    ]),
  );
}

/** What a period of a member is found by. */
export function earlierKey({
  member_id,
  period_start,
}: Pick<SubmissionRow, 'member_id' | 'period_start'>): string {
  return `${member_id} ${period_start}`;
}

/** The refusal of a month before which another one is not settled. */
export function earlierOpen({ month, work_date }: Unconfirmed): Failure {
  return new Failure('earlier_period_open', {
    detail: {
      en: `${month} has records and is not confirmed`,
      ja: `記録のある ${month} が確定されていません`,
    },
    members: { month, work_date },
  });
}
