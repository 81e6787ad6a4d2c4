import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import { asOf } from '../days/absence.ts';
import { type Alert, alertsOf } from '../days/alerts.ts';
import type { Dates } from '../days/reach.ts';
import { summedMinutes } from '../days/totals.ts';
import type { LeaveOfDay, Schedule } from '../days/types.ts';
import type { Recalculating } from '../recalculation/open.ts';
import { type DatedRow, settingsOn, todayBy } from '../settings/dated.ts';
import { type PlainFields, weekdays } from '../settings/fields.ts';
import { datedRows, plainSettings } from '../settings/queries.ts';
import { type Day, type DaysAtHand, daysFrom, daysOf } from './days.ts';
import type { AttendanceRecord } from './record.ts';
import { shownSession } from './replace.ts';
import { newestSessions } from './rows.ts';

/** Alerts look at the four weeks to a day. */
export const DAYS_BEFORE = 27;

/** What days are shown with, the same for all days of an organization. */
export type Showing = {
  now: string;
  today: string;
  max_session_hours: number;
  /** 0 (Sunday) to 6: the weekday on which weeks begin, by date. */
  weekStartOn: (date: string) => number;
  /** By member, when their newest session began. */
  newest: ReadonlyMap<string, { clock_in_at: string }>;
};

/** Reads what days of members are shown with. */
export async function showingOf(reader: Reader, member_ids: readonly string[]): Promise<Showing> {
  const [dated, plain, newest] = await Promise.all([
    datedRows(reader),
    plainSettings(reader),
    newestSessions(reader, member_ids),
  ]);
  return showingWith(reader, dated, plain, newest);
}

/** A day of one member as the API shows it, from what is at hand. */
export function shownAtHand(
  at_hand: DaysAtHand,
  recalculating: Recalculating,
  work_date: string,
  showing: Showing,
): AttendanceRecord {
  const dates = { from: daysLater(work_date, -DAYS_BEFORE), to: work_date };
  return shownDay(daysFrom(at_hand, recalculating, dates), showing);
}

/** What days are shown with, from settings that are at hand. */
export function showingWith(
  { now }: Pick<Reader, 'now'>,
  dated: readonly DatedRow[],
  { max_session_hours }: PlainFields,
  newest: Showing['newest'],
): Showing {
  return {
    now: now.toISOString(),
    today: todayBy(dated, now),
    max_session_hours,
    weekStartOn: (date) => weekdays.indexOf(settingsOn(dated, date).week_starts_on),
    newest,
  };
}

/** Every date of a range for each of some members as the API shows it, alerts and absence as of now. */
export async function shownDays(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, AttendanceRecord[]>> {
  const reach = { from: daysLater(dates.from, -DAYS_BEFORE), to: dates.to };
  const [days, showing] = await Promise.all([
    daysOf(reader, member_ids, reach),
    showingOf(reader, member_ids),
  ]);
  return new Map(
    member_ids.map((member_id) => [member_id, shownWithin(days.get(member_id) ?? [], dates.from, showing)]),
  );
}

/** The days of one member from a date on; those before it are for alerts alone. */
export function shownWithin(days: readonly Day[], from: string, showing: Showing): AttendanceRecord[] {
  return days.flatMap((day, index) => {
    if (day.work_date < from) return [];
    return shownDay(days.slice(Math.max(0, index - DAYS_BEFORE), index + 1), showing);
  });
}

/** The last of some days that follow each other. */
export function shownDay(days: readonly Day[], showing: Showing): AttendanceRecord {
  const last = days.at(-1)!;
  if (last.frozen_alerts !== null) return shownFrozen(last);
  return shownWith(asOf(last, showing.today), alertsOfLast(days, showing), false);
}

/** A day of a closed period: absence and alerts as they were frozen. */
export function shownFrozen(day: Day): AttendanceRecord {
  return shownWith(day, day.frozen_alerts ?? [], true);
}

/** The alerts of the last of some days that follow each other. */
export function alertsOfLast(days: readonly Day[], showing: Showing): Alert[] {
  const day = days.at(-1)!;
  const { now, today, max_session_hours, weekStartOn, newest } = showing;
  return alertsOf(days, {
    now,
    today,
    max_session_hours,
    week_start: weekStartOn(day.work_date),
    newest_clock_in_at: newest.get(day.member_id)?.clock_in_at ?? null,
    recalculating: () => day.is_stale,
  });
}

function shownWith(day: Day, alerts: readonly Alert[], locked: boolean): AttendanceRecord {
  return {
    id: day.id,
    object: 'attendance.record',
    member_id: day.member_id,
    work_date: day.work_date,
    day_type: day.day_type,
    schedule: day.schedule && shownSchedule(day.schedule),
    sessions: day.sessions.map(shownSession),
    ...pick(day, summedMinutes),
    leave: day.leave.map(shownLeave),
    alerts: [...alerts],
    locked,
    version: day.version,
    calc_version: day.calc_version,
    created_at: day.created_at,
    updated_at: day.updated_at,
  };
}

function shownSchedule({ id, start, end, breaks, minutes }: Schedule) {
  return { id, start, end, breaks: breaks.map((one) => pick(one, ['start', 'end'])), minutes };
}

function shownLeave({ request_id, type, unit, start_time, hours }: LeaveOfDay) {
  return { request_id, type: type as AttendanceRecord['leave'][number]['type'], unit, start_time, hours };
}
