import { oneOf } from '../../db/one-of.ts';
import { dayOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Alert } from '../days/alerts.ts';
import { rowOn } from '../days/dated-rows.ts';
import type { Dates } from '../days/reach.ts';
import type { DatedSettings, FrozenDay, LeftOver, Segment } from '../days/types.ts';
import type { RecordRow, SessionRow } from '../records/rows.ts';

/** A day as its period was closed with, absence and alerts included. `id` null: nothing had been recorded. */
export type ClosedDay = Omit<RecordRow, 'id' | 'created_at' | 'updated_at'> & {
  id: string | null;
  sessions: readonly SessionRow[];
  left_over: LeftOver[];
  created_at: string | null;
  updated_at: string | null;
};

/** The same as it is kept. */
export type KeptDay = { day: ClosedDay; alerts: Alert[]; segments: Segment[] };

/** The days of closed periods of members between two dates; segments where they are asked for. By member and date. */
export async function closedDaysOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
  { with_segments }: { with_segments: boolean },
): Promise<Map<string, Map<string, KeptDay>>> {
  const rows = await connection.query<KeptDay & { member_id: string }>(
    `SELECT submission.member_id, kept.day, kept.alerts, ${with_segments ? 'kept.segments' : `'[]'::jsonb AS segments`}
       FROM attendance_submissions AS submission
       JOIN attendance_frozen_days AS kept
         ON kept.organization_id = submission.organization_id AND kept.submission_id = submission.id
        AND kept.revision = submission.frozen_revision
      WHERE ${CLOSED} AND kept.work_date BETWEEN $3 AND $4`,
    [organization_id, member_ids, from, to],
  );
  const days = new Map<string, Map<string, KeptDay>>();
  for (const { member_id, ...kept } of rows) {
    const own = days.get(member_id) ?? new Map<string, KeptDay>();
    days.set(member_id, own.set(kept.day.work_date, kept));
  }
  return days;
}

/** What open days take from closed ones: type, times, leave and settings as they were, and what enters the week. By member. */
export async function frozenDaysOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<Map<string, FrozenDay[]>> {
  const rows = await connection.query<FrozenRow>(
    `SELECT submission.member_id, revision.settings, kept.work_date, kept.day -> 'day_type' AS day_type,
            kept.day -> 'schedule' AS schedule, kept.day -> 'leave' AS leave, kept.day -> 'week_minutes' AS week_minutes,
            kept.day -> 'left_over' AS left_over
       FROM attendance_submissions AS submission
       JOIN attendance_period_revisions AS revision
         ON revision.organization_id = submission.organization_id AND revision.submission_id = submission.id
        AND revision.revision = submission.frozen_revision
       JOIN attendance_frozen_days AS kept
         ON kept.organization_id = submission.organization_id AND kept.submission_id = submission.id
        AND kept.revision = submission.frozen_revision
      WHERE ${CLOSED} AND kept.work_date BETWEEN $3 AND $4
      ORDER BY submission.member_id, kept.work_date`,
    [organization_id, member_ids, from, to],
  );
  return new Map(
    [...Map.groupBy(rows, ({ member_id }) => member_id)].map(([id, own]) => [id, own.map(frozenDay)]),
  );
}

/** Closed periods of the members `$2` that have a day from `$3` to `$4`. */
const CLOSED = `submission.organization_id = $1 AND submission.member_id = ${oneOf('$2')}
        AND submission.frozen_revision IS NOT NULL AND submission.period_end >= $3 AND submission.period_start <= $4`;

type FrozenRow = Omit<FrozenDay, 'settings'> & { member_id: string; settings: DatedSettings[] };

function frozenDay({ member_id, settings, ...day }: FrozenRow): FrozenDay {
  const rows = settings.map((row) => ({ from: dayOf(row.effective_from), row }));
  const { row } = rowOn(rows, dayOf(day.work_date)) ?? rows[0]!;
  return { ...day, settings: row };
}
