import { startOfDay, zoneOf } from '../../../kernel/local-time.ts';
import { isStorable } from '../../../kernel/schema.ts';
import { type BusySpan, CalendarFailure, type EventChange } from '../provider.ts';
import { textIn } from './api.ts';

/** Characters of a title that are kept. */
const LONGEST_TITLE = 1_000;

const MINUTE = 60_000;

/** What is read of an event, as `fields` of the list asks for it. */
export const EVENT_FIELDS =
  'id,iCalUID,status,transparency,eventType,summary,start,end,attendees(self,responseStatus)';

/**
 * An event of Google as what it makes of its owner. Not busy: cancelled and transparent ones, those that the owner has
 * declined, and where somebody works. `time_zone` is that of the calendar, whose midnights bound events of whole days.
 * Errors: `CalendarFailure` `broken` for what has no ID or no times.
 */
export function changeOf(event: unknown, time_zone: string): EventChange {
  const key = textIn(event, 'id');
  if (key === null) throw notUnderstood();
  return { key, uid: textIn(event, 'iCalUID'), busy: isBusy(event) ? spanOf(event, time_zone) : null };
}

function isBusy(event: unknown): boolean {
  const { attendees } = event as { attendees?: { self?: boolean; responseStatus?: string }[] };
  const own = Array.isArray(attendees) ? attendees.find(({ self }) => self === true) : undefined;
  return (
    textIn(event, 'status') !== 'cancelled' &&
    textIn(event, 'transparency') !== 'transparent' &&
    textIn(event, 'eventType') !== 'workingLocation' &&
    own?.responseStatus !== 'declined'
  );
}

function spanOf(event: unknown, time_zone: string): BusySpan | null {
  const { start, end } = event as { start?: unknown; end?: unknown };
  const all_day = textIn(start, 'date') !== null;
  const [from, to] = [start, end].map((time) => instantIn(time, time_zone));
  if (from! >= to!) return null;
  return { start: new Date(from!), end: new Date(to!), all_day, title: titleOf(event) };
}

function instantIn(time: unknown, time_zone: string): number {
  const date = textIn(time, 'date');
  const dateTime = textIn(time, 'dateTime');
  const instant =
    date !== null ? midnight(date, time_zone) : dateTime === null ? Number.NaN : Date.parse(dateTime);
  if (Number.isNaN(instant)) throw notUnderstood();
  return instant;
}

function midnight(date: string, time_zone: string): number {
  const day = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(day) ? day : startOfDay(zoneOf(time_zone), day / 86_400_000) * MINUTE;
}

function titleOf(event: unknown): string | null {
  const title = textIn(event, 'summary')?.slice(0, LONGEST_TITLE).replaceAll('\0', '').toWellFormed();
  return title && isStorable(title) ? title : null;
}

function notUnderstood(): CalendarFailure {
  return new CalendarFailure('broken', 'not_understood');
}
