import { z } from 'zod';
import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { day, timestamp } from '../../kernel/schema.ts';
import { alertCodes } from '../days/alerts.ts';
import { punchTypes, standingAt } from '../days/punch-states.ts';
import type { Dates } from '../days/reach.ts';
import type { Session } from '../days/types.ts';
import { type Day, daysOf } from '../records/days.ts';
import type { AttendanceRecord } from '../records/record.ts';
import { newestSessions } from '../records/rows.ts';
import { DAYS_BEFORE, showingWith, shownDay } from '../records/shown.ts';
import { todayBy } from '../settings/dated.ts';
import { datedRows, plainSettings } from '../settings/queries.ts';
import { seenMember } from '../sight/people.ts';
import { Punch, punchStates } from './record.ts';
import { lastPunches, shownPunch } from './rows.ts';

const soFar = () =>
  z
    .int()
    .min(0)
    .meta({ examples: [0] });

/** What a member does, and may punch. */
export const PunchStatus = z
  .strictObject({
    state: z.enum(punchStates).meta({ examples: ['working'] }),
    session_started_at: timestamp().nullable(),
    work_date: day().nullable().describe('That of the session that runs; null: none does.'),
    worked_minutes_so_far: soFar().describe('Of the session that runs, without breaks and rounding.'),
    break_minutes_so_far: soFar(),
    allowed_types: z.array(z.enum(punchTypes)).meta({ examples: [['break_start', 'clock_out']] }),
    last_punch: Punch.nullable(),
    alerts: z
      .array(z.enum(alertCodes))
      .describe('Those of the work date, of today while no session runs.')
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'AttendancePunchStatus' });

export type PunchStatus = z.output<typeof PunchStatus>;

/** The status at an instant, by the newest session; alerts and the last punch are told beside it. */
export function statusAt(
  newest: Session | null,
  at: string,
  max_session_hours: number,
): Omit<PunchStatus, 'last_punch' | 'alerts'> {
  const { state, is_expired, allowed_types } = standingAt(newest, at, max_session_hours);
  const runs = newest !== null && newest.clock_out_at === null && !is_expired;
  const breaks = runs ? newest.breaks : [];
  const paused = breaks.reduce(
    (sum, { start_at, end_at }) => sum + Math.max(0, Date.parse(end_at ?? at) - Date.parse(start_at)),
    0,
  );
  const elapsed = runs ? Math.max(0, Date.parse(at) - Date.parse(newest.clock_in_at)) : 0;
  return {
    state,
    session_started_at: runs ? newest.clock_in_at : null,
    work_date: runs ? newest.work_date : null,
    worked_minutes_so_far: Math.floor(Math.max(0, elapsed - paused) / 60_000),
    break_minutes_so_far: Math.floor(paused / 60_000),
    allowed_types,
  };
}

/** What a member does now: who asks, unless another one is named. Errors: `not_found`. */
export async function punchStatus(reader: Reader, member_id: string | undefined): Promise<PunchStatus> {
  const { id } = await seenMember(reader, member_id);
  return (await presentOf(reader, [id])).get(id)!.status;
}

/** What a member does now, and the day that it counts for: that of the session which runs, else today. */
export type Present = { status: PunchStatus; record: AttendanceRecord };

/** What members do now. A fixed number of statements, however many members. */
export async function presentOf(
  reader: Reader,
  member_ids: readonly string[],
): Promise<Map<string, Present>> {
  return (await presentWithDays(reader, member_ids, null)).present;
}

/** The same with every day of theirs between two dates, which are read together. */
export async function presentWithDays(
  reader: Reader,
  member_ids: readonly string[],
  also: Dates | null,
): Promise<{ present: Map<string, Present>; days: Map<string, Day[]> }> {
  const [dated, settings, newest, last] = await Promise.all([
    datedRows(reader),
    plainSettings(reader),
    newestSessions(reader, member_ids),
    lastPunches(reader, member_ids),
  ]);
  const today = todayBy(dated, reader.now);
  const at = reader.now.toISOString();
  const statuses = new Map(
    member_ids.map((id) => [id, statusAt(newest.get(id) ?? null, at, settings.max_session_hours)]),
  );
  const dates = [...statuses.values()].map(({ work_date }) => work_date ?? today).sort();
  const first = daysLater(dates[0] ?? today, -DAYS_BEFORE);
  const last_date = dates.at(-1) ?? today;
  const read = await daysOf(reader, member_ids, {
    from: also && also.from < first ? also.from : first,
    to: also && also.to > last_date ? also.to : last_date,
  });
  const showing = showingWith(reader, dated, settings, newest);
  const present = new Map(
    member_ids.map((id): [string, Present] => {
      const status = statuses.get(id)!;
      const date = status.work_date ?? today;
      const own = (read.get(id) ?? []).filter(({ work_date }) => work_date <= date);
      const record = shownDay(own.slice(-DAYS_BEFORE - 1), showing);
      const punch = last.get(id);
      const last_punch = punch ? shownPunch(punch) : null;
      return [id, { status: { ...status, last_punch, alerts: record.alerts }, record }];
    }),
  );
  return { present, days: also ? within(read, also) : new Map() };
}

function within(days: ReadonlyMap<string, Day[]>, { from, to }: Dates): Map<string, Day[]> {
  return new Map(
    [...days].map(([id, own]) => [id, own.filter(({ work_date }) => from <= work_date && work_date <= to)]),
  );
}
