import { dayOf, weekdayOf } from '../../kernel/local-time.ts';
import { asOf } from './absence.ts';
import { isExpired } from './punch-states.ts';
import type { DayRecord, Session } from './types.ts';

export const alertCodes = [
  'missing_clock_out',
  'open_break',
  'break_closed_by_clock_out',
  'no_record',
  'break_shortage',
  'auto_break_applied',
  'overtime_not_approved',
  'consecutive_days',
  'short_interval',
  'no_legal_holiday',
  'recalculating',
] as const;

export type Alert = (typeof alertCodes)[number];

/** What alerts read of a record. */
export type DayOfAlerts = Pick<
  DayRecord,
  | 'work_date'
  | 'day_type'
  | 'work_system'
  | 'is_employed'
  | 'sessions'
  | 'worked_minutes'
  | 'automatic_break_minutes'
  | 'unapproved_overtime_minutes'
  | 'absence_minutes'
  | 'is_absence'
  | 'has_break_shortage'
>;

export type AlertsAsked = {
  now: string;
  today: string;
  max_session_hours: number;
  /** 0 (Sunday) to 6: the weekday on which weeks begin. */
  week_start: number;
  /** The member's newest session of all: an open one runs on, any other open one has no clock_out. */
  newest_clock_in_at: string | null;
  /** The dates whose records are not computed anew yet. */
  recalculating: (work_date: string) => boolean;
};

/** Over how many days in a row, and under how many hours between two days' work, somebody should look. */
const MOST_DAYS_IN_A_ROW = 13;
const LEAST_INTERVAL = 11 * 3_600_000;
/** Labour Standards Act art. 35(2): four holidays in four weeks, where not each week has one. */
const HOLIDAYS_IN_FOUR_WEEKS = 4;
const FOUR_WEEKS = 28;

/**
 * The alerts of the last of some days, which follow each other without hole: 27 before it, so that four weeks can be seen,
 * as far as the member has them. Exempt people have none of arts. 34 and 35.
 */
export function alertsOf(days: readonly DayOfAlerts[], asked: AlertsAsked): Alert[] {
  const day = asOf(days.at(-1)!, asked.today);
  const isExempt = day.work_system === 'exempt';
  const stale = day.sessions.filter((session) => isStale(session, asked));
  const found: Record<Alert, boolean> = {
    missing_clock_out: stale.length > 0,
    open_break:
      stale.some(hasOpenBreak) ||
      day.sessions.some(
        ({ clock_out_at, breaks }) => clock_out_at !== null && breaks.some(({ end_at }) => end_at === null),
      ),
    break_closed_by_clock_out: day.sessions.some(({ breaks }) =>
      breaks.some(({ is_closed_by_clock_out }) => is_closed_by_clock_out),
    ),
    no_record: day.is_absence,
    break_shortage: !isExempt && day.has_break_shortage,
    auto_break_applied: day.automatic_break_minutes > 0,
    overtime_not_approved: day.unapproved_overtime_minutes > 0,
    consecutive_days: daysInARow(days) > MOST_DAYS_IN_A_ROW,
    short_interval: isIntervalShort(days),
    no_legal_holiday: !isExempt && lacksHoliday(days, asked.week_start),
    recalculating: asked.recalculating(day.work_date),
  };
  return alertCodes.filter((code) => found[code]);
}

function hasOpenBreak({ breaks }: Session): boolean {
  return breaks.at(-1)?.end_at === null;
}

/** A session without end that does not run: it is over its most hours, or a later one has begun. */
function isStale({ clock_in_at, clock_out_at }: Session, asked: AlertsAsked): boolean {
  if (clock_out_at !== null) return false;
  const isNewest = asked.newest_clock_in_at === null || clock_in_at >= asked.newest_clock_in_at;
  return !isNewest || isExpired(clock_in_at, asked.now, asked.max_session_hours);
}

function daysInARow(days: readonly DayOfAlerts[]): number {
  const free = days.findLastIndex(({ worked_minutes }) => worked_minutes === 0);
  return days.length - 1 - free;
}

/** Under 11 hours between the end of the work before and the beginning of the day's. */
function isIntervalShort(days: readonly DayOfAlerts[]): boolean {
  const begin = days.at(-1)!.sessions[0]?.clock_in_at;
  if (!begin) return false;
  const end = days
    .slice(-4, -1)
    .flatMap(({ sessions }) => sessions.flatMap(({ clock_out_at }) => clock_out_at ?? []))
    .reduce((latest, one) => (one > latest ? one : latest), '');
  return end !== '' && Date.parse(begin) - Date.parse(end) < LEAST_INTERVAL;
}

/** On the last day of a week without legal holiday, where the four weeks to it have fewer than four. */
function lacksHoliday(days: readonly DayOfAlerts[], week_start: number): boolean {
  if ((weekdayOf(dayOf(days.at(-1)!.work_date)) + 1) % 7 !== week_start) return false;
  const week = days.slice(-7);
  if (week.length < 7 || !week.every(({ is_employed }) => is_employed) || week.some(isLegal)) return false;
  return days.slice(-FOUR_WEEKS).filter(isLegal).length < HOLIDAYS_IN_FOUR_WEEKS;
}

function isLegal({ day_type }: DayOfAlerts): boolean {
  return day_type === 'legal_holiday';
}
