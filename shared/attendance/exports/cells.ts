import type { Language } from '../../kernel/language.ts';
import {
  clockAt,
  dateOf,
  dayOf,
  MINUTES_OF_DAY,
  minuteOf,
  startOfDay,
  type Zone,
} from '../../kernel/local-time.ts';
import { leaveTypeNames } from '../leave/names.ts';
import type { AttendanceRecord, SessionShown } from '../records/record.ts';
import { leavePartNames } from './names.ts';

/** Minutes as hours and minutes: `33:08`, `08:05`. */
export function hoursAndMinutes(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The last clock time of a work date that is counted on from its midnight. */
const LATEST = 2 * MINUTES_OF_DAY;

/**
 * An instant on the clock of its work date: `09:00`, after midnight counted on (`26:30`), as an import takes it. One before the work
 * date, or two days after it, has its own date: `2026-11-25 23:30`.
 */
export function clockText(instant: string, work_date: string, zone: Zone): string {
  const minute = minuteOf(instant);
  let day = Math.floor(minute / MINUTES_OF_DAY) + 1;
  while (startOfDay(zone, day) > minute) day -= 1;
  const clock = clockAt(zone, minute);
  const on_date = (day - dayOf(work_date)) * MINUTES_OF_DAY + clock;
  if (on_date >= 0 && on_date < LATEST) return hoursAndMinutes(on_date);
  return `${dateOf(day)} ${hoursAndMinutes(clock)}`;
}

/** A session as `09:00-18:00`; `09:00-` has no end. */
export function sessionText({ clock_in_at, clock_out_at }: SessionShown, work_date: string, zone: Zone) {
  const end = clock_out_at === null ? '' : clockText(clock_out_at, work_date, zone);
  return `${clockText(clock_in_at, work_date, zone)}-${end}`;
}

/** The days of leave that each unit is; hours are no days. */
const DAYS = { full: 1, half_am: 0.5, half_pm: 0.5, hourly: 0 };

/** The days of leave of a record: halves are exact. */
export function leaveDays({ leave }: Pick<AttendanceRecord, 'leave'>): number {
  return leave.reduce((sum, { unit }) => sum + DAYS[unit], 0);
}

/** A leave in words: `年次有給休暇（午前）`, `Annual leave (2 h)`. */
export function leaveText(
  { type, unit, hours }: AttendanceRecord['leave'][number],
  language: Language,
): string {
  const name = capital(leaveTypeNames[type][language]);
  if (unit !== 'hourly') return `${name}${leavePartNames[unit][language]}`;
  return language === 'ja' ? `${name}（${hours}時間）` : `${name} (${hours} h)`;
}

/** A name as it stands alone. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
