import type { Reader } from '../../kernel/reader.ts';
import type { EventType } from '../event-types/record.ts';
import type { AssignmentReason } from './record.ts';
import { type Candidate, chosenOf, inTurn } from './round-robin.ts';

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

/** The rotating members who are free, in the order of their turns. One statement where there are several, else none. */
export async function turnsAt(reader: Reader, asked: Asked): Promise<string[]> {
  const rotating = asked.event_type.members.filter(
    ({ role }, place) => role === 'rotating' && asked.free[place],
  );
  if (rotating.length === 0) return [];
  return inTurn(await candidatesOf(reader, asked, rotating)).map(({ user_id }) => user_id);
}

async function candidatesOf(
  reader: Reader,
  asked: Asked,
  rotating: EventType['members'],
): Promise<Candidate[]> {
  const user_ids = rotating.map(({ user_id }) => user_id);
  const rows = rotating.length === 1 ? [] : await assignedInMonth(reader, { ...asked, user_ids });
  const known = new Map(rows.map((row) => [row.user_id, row]));
  return rotating.map(({ user_id, priority }) => ({
    user_id,
    priority,
    bookings: known.get(user_id)?.bookings ?? 0,
    last_assigned_at: known.get(user_id)?.last_assigned_at ?? null,
  }));
}

/**
 * What each of some hosts was assigned of a type in the month of a start, of those who were. A booking that counts takes its
 * hosts' time, as a session does once: so that is counted, by the index of the time of hosts alone. A month may have 20,000 bookings.
 */
export async function assignedInMonth(
  { connection, organization_id, now }: Pick<Reader, 'connection' | 'organization_id' | 'now'>,
  { event_type, start, time_zone, without, user_ids }: Omit<Asked, 'free'> & { user_ids: readonly string[] },
): Promise<Omit<Candidate, 'priority'>[]> {
  const month = monthOf(start, time_zone);
  return connection.query(
    `SELECT user_id, count(*)::integer AS bookings, max(assigned_at) AS last_assigned_at
       FROM scheduler_occupancies
      WHERE organization_id = $1 AND user_id = ANY ($2) AND "start" >= $3 AND "start" < $4
        AND event_type_id = $5 AND kind IN ('booking', 'session') AND record_id <> ALL ($6)
        AND (expires_at IS NULL OR expires_at > $7)
      GROUP BY user_id`,
    [organization_id, [...user_ids], month.from, month.to, event_type.id, [...without], now.toISOString()],
  );
}

/** The month in which an instant lies in a zone, from its first instant to that of the next. */
function monthOf(instant: number, time_zone: string): { from: string; to: string } {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
  const first = at.toPlainDate().with({ day: 1 });
  const beginning = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(time_zone).epochMilliseconds).toISOString();
  return { from: beginning(first), to: beginning(first.add({ months: 1 })) };
}
