import { DAY } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { calendarText, uidOf } from '../icalendar/calendar.ts';
import { organizationName } from '../mails/organization.ts';
import { placeText } from '../mails/words.ts';
import { feedRow } from './queries.ts';

/** How far a feed looks back and ahead, in milliseconds: nobody books further ahead than 730 days. */
const BACK = 90 * DAY;
const AHEAD = 732 * DAY;

/** As many entries as a feed has at most; the nearest in time are those that matter. */
const MOST_ENTRIES = 5_000;

type Entry = {
  id: string;
  title: string;
  start: string;
  end: string;
  guest_name: string;
  location: BookedLocation | null;
  ics_sequence: number;
  updated_at: string;
  taken: number | null;
  seats: number | null;
};

/** The confirmed bookings that a member hosts, in the order of their starts; of a session its first seat stands for all. */
const ENTRIES = `SELECT DISTINCT ON (host."start", coalesce(booking.session_id, booking.id))
    coalesce(booking.session_id, booking.id) AS id, booking.title, booking."start", booking."end",
    booking.guest ->> 'name' AS guest_name, booking.location,
    coalesce(session.ics_sequence, booking.ics_sequence) AS ics_sequence,
    coalesce(session.updated_at, booking.updated_at) AS updated_at, session.taken, session.seats
  FROM scheduler_booking_hosts AS host
  JOIN scheduler_bookings AS booking
    ON booking.organization_id = host.organization_id AND booking.id = host.booking_id
  LEFT JOIN scheduler_sessions AS session
    ON session.organization_id = booking.organization_id AND session.id = booking.session_id
 WHERE host.organization_id = $1 AND host.user_id = $2 AND host."start" >= $3 AND host."start" < $4
   AND booking.status IN ('confirmed', 'no_show')
 ORDER BY host."start", coalesce(booking.session_id, booking.id), booking.id LIMIT ${MOST_ENTRIES}`;

/**
 * What a feed says now: the confirmed bookings of its member from 90 days ago on, a session once with its headcount. Errors:
 * `not_found`.
 */
export async function feedText(reader: Reader, feed_id: string, base_url: string): Promise<string> {
  const { connection, organization_id, now } = reader;
  const { user_id } = await feedRow(reader, feed_id);
  const [owner] = await connection.query<{ locale: Locale }>('SELECT locale FROM users WHERE id = $1', [
    user_id,
  ]);
  const entries = await connection.query<Entry>(ENTRIES, [
    organization_id,
    user_id,
    new Date(now.getTime() - BACK).toISOString(),
    new Date(now.getTime() + AHEAD).toISOString(),
  ]);
  const organization = await organizationName(reader);
  const { locale } = owner!;
  return calendarText({
    method: 'PUBLISH',
    name: locale === 'ja' ? `予約（${organization}）` : `Bookings (${organization})`,
    events: entries.map((entry) => ({
      uid: uidOf(entry.id, base_url),
      sequence: entry.ics_sequence,
      stamped_at: entry.updated_at,
      start: entry.start,
      end: entry.end,
      status: 'CONFIRMED',
      summary: summaryOf(entry),
      description: null,
      location: entry.location && placeText(entry.location, locale),
    })),
  });
}

function summaryOf({ title, guest_name, taken, seats }: Entry): string {
  if (taken !== null) return `${title} (${taken}/${seats})`;
  return guest_name === '' ? title : `${title} (${guest_name})`;
}
