import type { Reader } from '../../kernel/reader.ts';
import type { Limits } from '../days/limits.ts';
import type { DatedSettings, Period, PeriodTotals, Segment } from '../days/types.ts';
import { closedDay } from '../records/days.ts';
import type { AttendanceRecord } from '../records/record.ts';
import { shownFrozen } from '../records/shown.ts';
import type { KeptDay } from './frozen.ts';

/** What a confirmed month is shown from: nothing of it follows from anything that may still change. */
export type ConfirmedRevision = {
  submission_id: string;
  revision: number;
  member_id: string;
  period: Period;
  /** Every day of the period, in order. */
  days: (AttendanceRecord & { segments: Segment[] })[];
  totals: PeriodTotals;
  /** Null for exempt people. */
  limits: Limits | null;
  /** The dated settings that the period had, in order of their dates. */
  settings: DatedSettings[];
};

type Row = Omit<ConfirmedRevision, 'period' | 'days'> & { month: string; start: string; end: string };

const REVISIONS = `
  SELECT submission.id AS submission_id, revision.revision, submission.member_id, submission.month,
         revision.period_start AS start, revision.period_end AS "end", revision.totals, revision.limits,
         revision.settings
    FROM attendance_submissions AS submission
    JOIN attendance_period_revisions AS revision
      ON revision.organization_id = submission.organization_id AND revision.submission_id = submission.id
     AND revision.revision = submission.frozen_revision
   WHERE submission.organization_id = $1 AND submission.member_id = ANY ($2) AND submission.month = ANY ($3)
     AND submission.status = 'confirmed'
   ORDER BY submission.member_id, submission.month`;

const DAYS = `
  SELECT submission.id AS submission_id, kept.day, kept.alerts, kept.segments
    FROM attendance_submissions AS submission
    JOIN attendance_frozen_days AS kept
      ON kept.organization_id = submission.organization_id AND kept.submission_id = submission.id
     AND kept.revision = submission.frozen_revision
   WHERE submission.organization_id = $1 AND submission.member_id = ANY ($2) AND submission.month = ANY ($3)
     AND submission.status = 'confirmed'
   ORDER BY submission.id, kept.work_date`;

/**
 * The revisions of the confirmed ones of some months (`YYYY-MM`), by member and in order of the months; `with_days: false`
 * leaves the days out, for figures alone. Two statements, however many members.
 */
export async function confirmedRevisionsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  months: readonly string[],
  { with_days = true }: { with_days?: boolean } = {},
): Promise<Map<string, ConfirmedRevision[]>> {
  const values = [organization_id, member_ids, months];
  const [rows, days] = await Promise.all([
    connection.query<Row>(REVISIONS, values),
    with_days ? connection.query<KeptDay & { submission_id: string }>(DAYS, values) : [],
  ]);
  const daysOf = Map.groupBy(days, ({ submission_id }) => submission_id);
  const revisions = rows.map(
    ({ month, start, end, ...row }): ConfirmedRevision => ({
      ...row,
      period: { month, start, end },
      days: (daysOf.get(row.submission_id) ?? []).map((kept) => {
        const day = closedDay(kept);
        return { ...shownFrozen(day), segments: [...day.segments] };
      }),
    }),
  );
  return Map.groupBy(revisions, ({ member_id }) => member_id);
}
