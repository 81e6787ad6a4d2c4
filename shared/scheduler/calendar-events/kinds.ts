import { daysOff } from '../../attendance/days-off.ts';
import { leaveTypeNames } from '../../attendance/leave/names.ts';
import { DAY } from '../../kernel/days.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type BlockRow, blockColumns, blockOf } from '../blocks/record.ts';
import type { CalendarEvent } from './record.ts';

export type AskedPart = {
  user_id: string;
  /** Instants in ISO 8601; `to` is not within. */
  from: string;
  to: string;
  /** How many are read of each kind, the first ones by their start. */
  first: number;
};

/** What one kind has in a range: the first ones by their start, and how many there are. */
export type Part = { events: CalendarEvent[]; total: number };

type Counted<Row> = Row & { total: number };

/** Calls the rows that a statement selects `one`, and reads the first of them with how many there are. */
const firstOf = (select: string) =>
  `SELECT one.*, (count(*) OVER ())::int AS total FROM (${select}) AS one ORDER BY "start", id LIMIT $5`;

const BOOKINGS = firstOf(
  `SELECT DISTINCT ON (coalesce(booking.session_id, booking.id)) booking.id, booking."start", booking."end",
          booking.title, booking.proposal_id
     FROM scheduler_booking_hosts AS host
     JOIN scheduler_bookings AS booking
       ON booking.organization_id = host.organization_id AND booking.id = host.booking_id
      AND booking."start" >= $3::timestamptz - interval '1 day' AND booking."start" < $4
    WHERE host.organization_id = $1 AND host.user_id = $2
      AND host."start" >= $3::timestamptz - interval '1 day' AND host."start" < $4 AND booking."end" > $3
      AND (booking.status IN ('confirmed', 'no_show')
        OR booking.status = 'pending' AND booking.pending_expires_at > $6)
    ORDER BY coalesce(booking.session_id, booking.id), booking.id`,
);

/** Bookings that are not cancelled, declined or expired; none lasts longer than a day. Those of a session are one event. */
export async function bookings(reader: Reader, asked: AskedPart): Promise<Part> {
  type Row = { id: string; start: string; end: string; title: string; proposal_id: string | null };
  const rows = await read<Row>(reader, BOOKINGS, asked, [reader.now]);
  return partOf(rows, ({ id, start, end, title, proposal_id }) => ({
    ...eventOf('booking', asked.user_id, { id, start, end, title }),
    booking_id: id,
    proposal_id,
  }));
}

const HOLDS = firstOf(
  `SELECT occupancy.record_id AS id, occupancy."start", occupancy."end", proposal.title, proposal.id AS proposal_id
     FROM scheduler_occupancies AS occupancy
     LEFT JOIN scheduler_proposals AS proposal
       ON proposal.organization_id = occupancy.organization_id AND proposal.id = occupancy.record_id
    WHERE occupancy.organization_id = $1 AND occupancy.user_id = $2 AND occupancy.kind IN ('hold', 'proposal')
      AND occupancy.expires_at > $6 AND occupancy."end" > $3 AND occupancy."start" < $4`,
);

/** Living holds: of guests who are booking, and of proposals, which have one for each time that they propose. */
export async function holds(reader: Reader, asked: AskedPart): Promise<Part> {
  type Row = { id: string; start: string; end: string; title: string | null; proposal_id: string | null };
  const rows = await read<Row>(reader, HOLDS, asked, [reader.now]);
  return partOf(rows, ({ id, start, end, title, proposal_id }) => ({
    ...eventOf('hold', asked.user_id, { id, start, end, title }),
    proposal_id,
  }));
}

const WITHIN = 'organization_id = $1 AND user_id = $2 AND "end" > $3 AND "start" < $4';

const BLOCKS = firstOf(
  `SELECT ${blockColumns.map((column) => `"${column}"`).join(', ')} FROM scheduler_blocks WHERE ${WITHIN}`,
);

/** Time that was blocked by hand. */
export async function blocks(reader: Reader, asked: AskedPart): Promise<Part> {
  return partOf(await read<BlockRow>(reader, BLOCKS, asked), ({ total, ...row }) => blockOf(row));
}

const EXTERNAL_EVENTS = firstOf(
  `SELECT id, "start", "end", all_day, title, connection_id FROM scheduler_external_events WHERE ${WITHIN}`,
);

/** Events of calendars elsewhere. */
export async function externalEvents(reader: Reader, asked: AskedPart): Promise<Part> {
  type Row = Pick<CalendarEvent, 'id' | 'start' | 'end' | 'all_day' | 'title' | 'connection_id'>;
  const rows = await read<Row>(reader, EXTERNAL_EVENTS, asked);
  return partOf(rows, ({ id, start, end, title, all_day, connection_id }) => ({
    ...eventOf('external', asked.user_id, { id, start, end, title }),
    all_day,
    connection_id,
  }));
}

/** Approved leave of attendance, under the name of its kind. */
export async function leave(
  reader: Reader,
  { user_id, from, to }: AskedPart,
  language: Language,
): Promise<Part> {
  // A day more on both sides: the dates are those of the organization's clock.
  const dates = { from: dateBeside(from, -1), to: dateBeside(to, 1) };
  const off = await daysOff(reader, { user_ids: [user_id], holidays: dates, leave: dates });
  const events = off.leave
    .filter(({ start_at, end_at }) => end_at > from && start_at < to)
    .map(({ request_id: id, type, start_at: start, end_at: end, all_day }) => ({
      ...eventOf('leave', user_id, { id, start, end, title: leaveTypeNames[type][language] }),
      all_day,
    }));
  return { events, total: events.length };
}

function read<Row>(
  { connection, organization_id }: Reader,
  text: string,
  { user_id, from, to, first }: AskedPart,
  others: readonly unknown[] = [],
): Promise<Counted<Row>[]> {
  return connection.query<Counted<Row>>(text, [organization_id, user_id, from, to, first, ...others]);
}

function partOf<Row>(rows: Counted<Row>[], eventFor: (row: Counted<Row>) => CalendarEvent): Part {
  return { events: rows.map(eventFor), total: rows[0]?.total ?? 0 };
}

function eventOf(
  kind: CalendarEvent['kind'],
  user_id: string,
  shown: Pick<CalendarEvent, 'id' | 'start' | 'end' | 'title'>,
): CalendarEvent {
  const { id, start, end, title } = shown;
  return {
    id,
    object: 'scheduler.calendar_event',
    kind,
    user_id,
    start,
    end,
    all_day: false,
    title,
    booking_id: null,
    proposal_id: null,
    connection_id: null,
    external_id: null,
    metadata: {},
    created_at: null,
    updated_at: null,
  };
}

function dateBeside(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * DAY).toISOString().slice(0, 10);
}
