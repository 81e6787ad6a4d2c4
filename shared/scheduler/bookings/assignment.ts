import type { Reader } from '../../kernel/reader.ts';
import type { EventType } from '../event-types/record.ts';
import type { AssignmentReason } from './record.ts';
import { type Candidate, chosenOf } from './round-robin.ts';

/** Who hosts, in the members' order, and why, where round robin chose among several. */
export type Assigned = { user_ids: string[]; assignment_reason: AssignmentReason | null };

type Asked = {
  event_type: Pick<EventType, 'id' | 'members'>;
  /** Which members are free, in their order. */
  free: readonly boolean[];
  /** The start, in milliseconds since 1970, and the zone in which its month is counted. */
  start: number;
  time_zone: string;
  /** Records that do not count: a booking that is moved. */
  without: readonly string[];
};

/**
 * The members who host a start that can be booked: all required ones, the optional ones who are free, and of the rotating ones
 * whose turn it is. To be called while the event type is locked, where members rotate: the next one counts what this one
 * leaves. One statement where several could take it, else none.
 */
export async function assignHosts(reader: Reader, asked: Asked): Promise<Assigned> {
  const { event_type, free } = asked;
  const rotating = event_type.members.filter(({ role }, place) => role === 'rotating' && free[place]);
  const turn = rotating.length === 0 ? null : chosenOf(await candidatesOf(reader, asked, rotating));
  const hosts = event_type.members.filter(
    ({ role, user_id }, place) =>
      role === 'required' || (role === 'optional' && free[place]) || user_id === turn?.user_id,
  );
  return {
    user_ids: hosts.map(({ user_id }) => user_id),
    assignment_reason: turn?.assignment_reason ?? null,
  };
}

async function candidatesOf(
  { connection, organization_id, now }: Reader,
  { event_type, start, time_zone, without }: Asked,
  rotating: EventType['members'],
): Promise<Candidate[]> {
  const user_ids = rotating.map(({ user_id }) => user_id);
  const month = monthOf(start, time_zone);
  const rows =
    rotating.length === 1
      ? []
      : await connection.query<Omit<Candidate, 'priority'>>(
          `SELECT host.user_id, count(DISTINCT coalesce(booking.session_id, booking.id))::integer AS bookings,
             max(booking.assigned_at) AS last_assigned_at
           FROM scheduler_bookings AS booking
           JOIN scheduler_booking_hosts AS host
             ON host.organization_id = booking.organization_id AND host.booking_id = booking.id
          WHERE booking.organization_id = $1 AND booking.event_type_id = $2 AND booking.is_counted
            AND booking."start" >= $3 AND booking."start" < $4 AND booking.id <> ALL ($5)
            AND (booking.pending_expires_at IS NULL OR booking.pending_expires_at > $6)
            AND host.user_id = ANY ($7)
          GROUP BY host.user_id`,
          [organization_id, event_type.id, month.from, month.to, [...without], now.toISOString(), user_ids],
        );
  const known = new Map(rows.map((row) => [row.user_id, row]));
  return rotating.map(({ user_id, priority }) => ({
    user_id,
    priority,
    bookings: known.get(user_id)?.bookings ?? 0,
    last_assigned_at: known.get(user_id)?.last_assigned_at ?? null,
  }));
}

/** The month in which an instant lies in a zone, from its first instant to that of the next. */
function monthOf(instant: number, time_zone: string): { from: string; to: string } {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
  const first = at.toPlainDate().with({ day: 1 });
  const beginning = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(time_zone).epochMilliseconds).toISOString();
  return { from: beginning(first), to: beginning(first.add({ months: 1 })) };
}
