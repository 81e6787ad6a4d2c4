import { DAY, todayIn } from '../../kernel/days.ts';
import { dateOf, dayOf, instantOf, startOfDay, zoneOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isAtLeast } from '../../kernel/scope.ts';
import { type BookingRecord, bookingColumns } from '../bookings/record.ts';
import { shownBookings } from '../bookings/shown.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { MOST_CONNECTIONS, MOST_TYPES, type SchedulerDashboard } from './record.ts';

const HOUR = 3_600_000;

/** Bookings by their start, of one host where $2 names one: then by the index of that host. */
const bookings = (user_id: string | null, from: string, to: string) =>
  user_id === null
    ? `scheduler_bookings AS booking WHERE booking.organization_id = $1 AND $2::text IS NULL
         AND booking."start" >= ${from} AND booking."start" < ${to}`
    : `scheduler_booking_hosts AS host
       JOIN scheduler_bookings AS booking
         ON booking.organization_id = host.organization_id AND booking.id = host.booking_id
      WHERE host.organization_id = $1 AND host.user_id = $2 AND host."start" >= ${from} AND host."start" < ${to}`;

const HELD = `booking.status IN ('confirmed', 'no_show')`;

type Counts = Pick<
  SchedulerDashboard,
  'today' | 'next_7_days' | 'cancelled_30d' | 'no_show_30d' | 'average_lead_hours_30d'
>;

/** Every number of it is the total of the list with the filters that it names. A fixed number of statements. */
export async function schedulerDashboard(
  reader: Reader,
  user_id: string | null,
): Promise<SchedulerDashboard> {
  const { time_zone } = await schedulerSettingsOf(reader);
  const date = todayIn(time_zone, reader.now);
  const day = dayOf(date);
  const at = (days: number) => instantOf(startOfDay(zoneOf(time_zone), day + days));
  const bounds = { before: at(-30), today: at(0), tomorrow: at(1), week: at(7) };
  const [counts, pending, proposals_open, event_types, next, connections_attention] = await Promise.all([
    countBookings(reader, user_id, bounds),
    countPending(reader, user_id),
    countOpenProposals(reader, user_id),
    countByType(reader, user_id, bounds),
    nextBookings(reader, user_id),
    connectionsAttended(reader, user_id),
  ]);
  return {
    object: 'scheduler.dashboard',
    user_id,
    date: dateOf(day),
    time_zone,
    today: counts.today,
    next_7_days: counts.next_7_days,
    pending,
    cancelled_30d: counts.cancelled_30d,
    no_show_30d: counts.no_show_30d,
    proposals_open,
    average_lead_hours_30d: counts.average_lead_hours_30d,
    next_bookings: await shownBookings(reader, next),
    event_types,
    connections_attention,
  };
}

type Bounds = { before: string; today: string; tomorrow: string; week: string };

async function countBookings(
  { connection, organization_id }: Reader,
  user_id: string | null,
  { before, today, tomorrow, week }: Bounds,
): Promise<Counts> {
  const [counts] = await connection.query<Counts>(
    `SELECT count(*) FILTER (WHERE booking."start" >= $4 AND booking."start" < $5 AND status = 'confirmed')::int AS today,
            count(*) FILTER (WHERE booking."start" >= $4 AND status = 'confirmed')::int AS next_7_days,
            count(*) FILTER (WHERE booking."start" < $4 AND status = 'cancelled')::int AS cancelled_30d,
            count(*) FILTER (WHERE booking."start" < $4 AND status = 'no_show')::int AS no_show_30d,
            round(avg(extract(epoch FROM booking."start" - booking.created_at))
              FILTER (WHERE booking."start" < $4 AND ${HELD}) / 3600, 1)::float8 AS average_lead_hours_30d
       FROM ${bookings(user_id, '$3', '$6')}`,
    [organization_id, user_id, before, today, tomorrow, week],
    { prepared: false },
  );
  return counts!;
}

/** What the `user_ids` of who is among them contain. */
const among = (user_id: string | null) => (user_id === null ? null : JSON.stringify([user_id]));

async function countPending(
  { connection, organization_id, now }: Reader,
  user_id: string | null,
): Promise<number> {
  const [found] = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM scheduler_bookings
      WHERE organization_id = $1 AND status = 'pending' AND pending_expires_at > $3
        AND ($2::jsonb IS NULL OR user_ids @> $2)`,
    [organization_id, among(user_id), now.toISOString()],
    { prepared: false },
  );
  return found!.count;
}

async function countOpenProposals(
  { connection, organization_id, now }: Reader,
  user_id: string | null,
): Promise<number> {
  const [found] = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM scheduler_proposals
      WHERE organization_id = $1 AND status = 'open' AND expires_at > $3
        AND ($2::jsonb IS NULL OR user_ids @> $2)`,
    [organization_id, among(user_id), now.toISOString()],
    { prepared: false },
  );
  return found!.count;
}

function countByType(
  { connection, organization_id }: Reader,
  user_id: string | null,
  { before, today }: Bounds,
): Promise<SchedulerDashboard['event_types']> {
  return connection.query(
    `SELECT booking.event_type_id AS id, count(*)::int AS bookings_30d
       FROM ${bookings(user_id, '$3', '$4')} AND ${HELD} AND booking.event_type_id IS NOT NULL
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_TYPES}`,
    [organization_id, user_id, before, today],
    { prepared: false },
  );
}

/**
 * Of a host in the order of the host's rows, which is that of their index: in the order of the bookings' own start those of all
 * hosts were read, from the first ever made.
 */
function nextBookings(
  { connection, organization_id, now }: Reader,
  user_id: string | null,
): Promise<BookingRecord[]> {
  return connection.query<BookingRecord>(
    `SELECT ${bookingColumns.map((column) => `booking."${column}"`).join(', ')}
       FROM ${bookings(user_id, '$3', `'infinity'`)} AND booking.status = 'confirmed'
      ORDER BY ${user_id === null ? 'booking' : 'host'}."start", booking.id LIMIT 10`,
    [organization_id, user_id, now.toISOString()],
    { prepared: false },
  );
}

/** Members see their own connections, admins and owners those of all. */
function connectionsAttended(
  { connection, organization_id, actor, now }: Reader,
  user_id: string | null,
): Promise<SchedulerDashboard['connections_attention']> {
  const isAdmin = actor.role !== null && isAtLeast(actor.role, 'admin');
  return connection.query(
    `SELECT id, user_id, provider, account, status, status_reason, last_synced_at FROM scheduler_connections
      WHERE organization_id = $1 AND ($2::text IS NULL OR user_id = $2) AND ($3::text IS NULL OR user_id = $3)
        AND (status IN ('reauth_required', 'error')
          OR status = 'active' AND (last_synced_at < $4 OR last_synced_at IS NULL AND created_at < $5))
      ORDER BY id DESC LIMIT ${MOST_CONNECTIONS}`,
    [
      organization_id,
      user_id,
      isAdmin ? null : (actor.user_id ?? ''),
      new Date(now.getTime() - DAY).toISOString(),
      new Date(now.getTime() - HOUR).toISOString(),
    ],
    { prepared: false },
  );
}
