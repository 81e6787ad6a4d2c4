import { DAY, dayOf as dateIn, daysLater } from '../../kernel/days.ts';
import { dayOf, instantOf, minuteAt, weekdayOf, zoneOf } from '../../kernel/local-time.ts';
import type { Reminders } from '../settings/reminders.ts';

/** Whether a date (`YYYY-MM-DD`) is a holiday. */
export type IsHoliday = (date: string) => boolean;

/** How many days at most a reminder waits for a working day: a year of holidays has none. */
const MOST_MOVED = 366;

/** What decides when a signer is reminded next. */
export type Reminding = {
  rules: Reminders;
  /** When the signer was asked, and last reminded, in ISO 8601. */
  notified_at: string;
  reminded_at: string | null;
  /** Reminders of the schedule that were sent; those by hand do not count. */
  reminders_sent: number;
  time_zone: string;
  /** From then on none is sent. */
  expires_at: string | null;
};

/**
 * When a signer is reminded next, in ISO 8601; null for never again. The day of being asked and `first_after_days`, then the day
 * of the last reminder and `every_days`, moved to the next working day, at the hour of the rules by the signer's clock.
 */
export function nextReminder(
  { rules, notified_at, reminded_at, reminders_sent, time_zone, expires_at }: Reminding,
  isHoliday: IsHoliday,
): string | null {
  if (!rules.enabled || reminders_sent >= rules.max) return null;
  const from = dateIn(new Date(reminded_at ?? notified_at), time_zone);
  const wanted = daysLater(from, reminded_at === null ? rules.first_after_days : rules.every_days);
  const date = rules.skip_non_working ? workingDayFrom(wanted, isHoliday) : wanted;
  if (date === null) return null;
  const at = instantOf(minuteAt(zoneOf(time_zone), dayOf(date), rules.hour * 60));
  return expires_at !== null && at >= expires_at ? null : at;
}

/** The first date from one on that is neither Saturday, Sunday nor a holiday; null where a year has none. */
function workingDayFrom(date: string, isHoliday: IsHoliday): string | null {
  for (let moved = 0; moved <= MOST_MOVED; moved += 1) {
    const day = daysLater(date, moved);
    const weekday = weekdayOf(dayOf(day));
    if (weekday !== 0 && weekday !== 6 && !isHoliday(day)) return day;
  }
  return null;
}

/** The last date whose holidays may decide about the reminder after an instant, which lies so many days later. */
export function lastDateAsked(after: Date, days: number): string {
  return daysLater(after.toISOString().slice(0, 10), days + 1 + MOST_MOVED);
}

/** The instant at which a document expires that is sent now: the end of the day `days` later, in its zone. */
export function expiryAfter(now: Date, days: number, time_zone: string): string {
  const date = daysLater(dateIn(now, time_zone), days + 1);
  return instantOf(minuteAt(zoneOf(time_zone), dayOf(date), 0));
}

/** When an expiry is warned of, in ISO 8601; null where it is not. */
export function warningBefore(expires_at: string | null, warning_days: number): string | null {
  if (expires_at === null || warning_days === 0) return null;
  return new Date(Date.parse(expires_at) - warning_days * DAY).toISOString();
}
