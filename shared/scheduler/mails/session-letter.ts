import type { Reader } from '../../kernel/reader.ts';
import type { Letter } from '../../platform/mailer/letter.ts';
import type { Composing, Pointless } from '../../platform/mailer/purpose.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { pointless } from '../pointless-mails.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { addressedBy } from './addressed.ts';
import { invitation } from './invitation.ts';
import type { Said } from './letter.ts';
import { organizationName } from './organization.ts';
import type { SessionTold } from './told.ts';
import { type Facts, linesOf, wordsOf } from './words.ts';

type Session = SessionTold & { title: string; location: BookedLocation | null };

/** A session with the title of its event type, and the place where guests cannot choose one; undefined for none. */
export async function findSession(
  { connection, organization_id }: Reader,
  session_id: string,
): Promise<Session | undefined> {
  const [found] = await connection.query<Session>(
    `SELECT session.id, session."start", session."end", session.user_ids, session.seats, session.taken,
        session.status, session.ics_sequence, type.title,
        CASE WHEN jsonb_array_length(type.locations) = 1 THEN type.locations -> 0 END AS location
       FROM scheduler_sessions AS session
       JOIN scheduler_event_types AS type
         ON type.organization_id = session.organization_id AND type.id = session.event_type_id
      WHERE session.organization_id = $1 AND session.id = $2`,
    [organization_id, session_id],
  );
  return found;
}

/** A mail about a session to one of its hosts, in their language and zone; pointless to one who has left. */
export async function sessionLetter(
  { work, locale, mail_from, base_url, now }: Composing,
  session_id: string,
  user_id: string,
  said: Said,
): Promise<Letter | Pointless> {
  const hosts = await addressedBy(work, said.user_ids);
  const host = hosts.get(user_id);
  const session = await findSession(work, session_id);
  if (!host || !session) return { pointless: pointless.host_left };
  const { title, location } = session;
  const { time_format } = await schedulerSettingsOf(work);
  const organization = await organizationName(work);
  const all = said.user_ids.flatMap((one) => hosts.get(one) ?? []);
  const facts: Facts = {
    ...said,
    reader: 'host',
    reading: { locale, time_zone: host.time_zone, time_format },
    name: host.name,
    organization,
    title,
    span: said,
    hosts: all.map(({ name }) => name),
    location,
    reason: null,
    booked_by: null,
    guest: null,
    answers: [],
  };
  return {
    from_name: organization,
    ...(all[0] && { reply_to: all[0].email }),
    to: [{ name: host.name, address: host.email }],
    locale,
    ...wordsOf(facts),
    ...(said.calendar && {
      calendar: await invitation(said.calendar, {
        record_id: session_id,
        base_url,
        mail_from,
        organization,
        stamped_at: now.toISOString(),
        summary: said.seats ? `${title} (${said.seats.taken}/${said.seats.of})` : title,
        description: linesOf(facts),
        location,
        locale,
        attendees: all.map(({ name, email }) => ({ name, address: email })),
      }),
    }),
  };
}
