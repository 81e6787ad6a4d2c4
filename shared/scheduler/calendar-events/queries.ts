import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { actsForAll } from '../members/owner.ts';
import { rangeIn } from '../range.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { type AskedPart, blocks, bookings, externalEvents, holds, leave } from './kinds.ts';
import type { CalendarEvent, CalendarEvents } from './record.ts';

/** Dates that are shown where a call does not say until when. */
const USUAL_DATES = 7;

export type AskedEvents = {
  from?: string | undefined;
  to?: string | undefined;
  user_id?: string | undefined;
  limit: number;
  offset: number;
};

/**
 * What occupies a member in a range, by start: the acting member and seven days from today unless said. Dates are those of
 * the settings' zone. One statement for each kind, of which none reads more than the window has. Errors:
 * `validation_failed` at `to`.
 */
export async function calendarEvents(reader: Reader, query: AskedEvents): Promise<CalendarEvents> {
  const { limit, offset } = query;
  const { time_zone, locale } = await schedulerSettingsOf(reader);
  const { from = todayIn(time_zone, reader.now), to } = query;
  const range = rangeIn({ from, to, dates: USUAL_DATES }, time_zone, reader.now.getTime());
  const asked: AskedPart = {
    user_id: query.user_id ?? reader.actor.user_id!,
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    first: offset + limit,
  };
  const parts = await Promise.all([
    bookings(reader, asked),
    holds(reader, asked),
    blocks(reader, asked),
    externalEvents(reader, asked),
    leave(reader, asked, locale),
  ]);
  const events = parts.flatMap((part) => part.events).sort(byStart);
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const items = events.slice(offset, offset + limit).map((event) => seenBy(reader, event));
  return { items, total, limit, offset };
}

function byStart(one: CalendarEvent, other: CalendarEvent): number {
  if (one.start !== other.start) return one.start < other.start ? -1 : 1;
  return one.id! < other.id! ? -1 : 1;
}

/**
 * An event as who asks may see it: titles of calendars elsewhere are their owner's alone, another member's leave is told as a
 * block, and a block says what it is for to those who may act on it.
 */
function seenBy(reader: Reader, event: CalendarEvent): CalendarEvent {
  if (event.user_id === reader.actor.user_id) return event;
  if (event.kind === 'external') return { ...event, title: null };
  const isHidden = event.kind === 'leave' || (event.kind === 'block' && !actsForAll(reader));
  if (!isHidden) return event;
  const kept = { external_id: null, metadata: {}, created_at: null, updated_at: null };
  return { ...event, kind: 'block', id: null, title: null, ...kept };
}
