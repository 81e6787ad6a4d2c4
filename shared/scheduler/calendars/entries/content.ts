import type { Reader } from '../../../kernel/reader.ts';
import type { BookedLocation, Guest } from '../../bookings/record.ts';
import type { Entry } from '../provider.ts';

type Row = {
  title: string;
  start: string;
  end: string;
  guest: Guest;
  additional_guests: string[];
  location: BookedLocation | null;
  seats: number | null;
  taken: number | null;
};

/**
 * What the entry of a booking or session says to its host, as it is now. Of a session it is how many seats are taken: who
 * has them is told by the bookings. `host` is the domain of the UID, that of the mails. Null where there is none any more.
 */
export async function contentOf(
  { connection, organization_id }: Reader,
  { record_id, key, host }: { record_id: string; key: string; host: string },
): Promise<Omit<Entry, 'wants_meeting_link'> | null> {
  const [row] = await connection.query<Row>(
    `SELECT booking.title, booking."start", booking."end", booking.guest, booking.additional_guests, booking.location,
            session.seats, session.taken
       FROM scheduler_bookings AS booking
       LEFT JOIN scheduler_sessions AS session
         ON session.organization_id = booking.organization_id AND session.id = booking.session_id
      WHERE booking.organization_id = $1 AND (booking.id = $2 OR booking.session_id = $2)
        AND booking.status = 'confirmed'
      ORDER BY booking.id LIMIT 1`,
    [organization_id, record_id],
  );
  if (!row) return null;
  const { title, start, end, location } = row;
  return {
    uid: `${record_id}@${host}`,
    key,
    ...(row.seats === null
      ? ofGuest(title, row)
      : { title: `${title} (${row.taken}/${row.seats})`, description: '' }),
    location: location?.value ?? location?.label ?? null,
    start: new Date(start),
    end: new Date(end),
  };
}

function ofGuest(title: string, { guest, additional_guests }: Row): { title: string; description: string } {
  const contact = [guest.name, guest.email, ...(guest.phone ? [guest.phone] : []), ...additional_guests];
  return { title: `${title} (${guest.name})`, description: contact.join('\n') };
}

/**
 * Whether the link of the meeting is made in the entry of this host: the first one whose entry is in a calendar of Google,
 * of a booking that takes place there and has no link yet.
 */
export async function wantsMeetingLink(
  { connection, organization_id }: Reader,
  { record_id, user_id }: { record_id: string; user_id: string },
): Promise<boolean> {
  const [first] = await connection.query<{ user_id: string }>(
    `SELECT entry.user_id FROM scheduler_bookings AS booking
       JOIN jsonb_array_elements_text(booking.user_ids) WITH ORDINALITY AS host (user_id, place) ON true
       JOIN scheduler_calendar_entries AS entry
         ON entry.organization_id = booking.organization_id AND entry.record_id = $2 AND entry.user_id = host.user_id
        AND entry.is_wanted
       JOIN scheduler_connections AS connection
         ON connection.organization_id = entry.organization_id AND connection.id = entry.connection_id
        AND connection.provider = 'google'
      WHERE booking.organization_id = $1 AND (booking.id = $2 OR booking.session_id = $2)
        AND booking.status = 'confirmed' AND booking.location ->> 'type' = 'google_meet'
      ORDER BY booking.id, host.place LIMIT 1`,
    [organization_id, record_id],
  );
  return first?.user_id === user_id;
}
