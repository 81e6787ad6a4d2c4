import type { Work } from '../../kernel/work.ts';
import type { BookingChange } from '../bookings/change.ts';
import { type Addressed, addressedBy } from './addressed.ts';
import { bookingMail } from './booking-mail.ts';
import { type Draft, queueDrafts } from './queue.ts';
import { sessionMail } from './session-mail.ts';
import { sessionsTold } from './sessions.ts';
import { type Telling, tellingsOfGuests, tellingsOfHosts, tellingsOfSession } from './told.ts';

/** How long the mail to a guest waits for the link of a video call, in milliseconds. */
const WAITS_FOR_LINK = 60_000;

/**
 * Asks for the mails about changes of bookings: to the guests of each, to its hosts, and for seats one to each host of the
 * session. Changes that nobody is to be told of are left out.
 */
export async function queueBookingMails(work: Work, changes: readonly BookingChange[]): Promise<void> {
  const notified = changes.filter(({ notify }) => notify);
  if (notified.length === 0) return;
  const sessions = await sessionsTold(work, notified);
  const ofHosts = new Map(notified.map((change) => [change, tellingsOfHosts(change)]));
  const ofSessions = sessions.map((session) => ({ session, tellings: tellingsOfSession(session) }));
  const addressed = await addressedBy(work, [
    ...notified.flatMap(({ after }) => after.user_ids),
    ...[...ofHosts.values()].flat().map(({ recipient }) => recipient),
    ...ofSessions.flatMap(({ tellings }) => tellings.map(({ recipient }) => recipient)),
  ]);
  const invited = await invitedByMail(work, notified, addressed);
  await queueDrafts(work, [
    ...notified.flatMap((change) => [
      ...draftsToGuests(work, change, addressed),
      ...draftsToHosts(change.after.id, ofHosts.get(change)!, { addressed, invited }).map((draft) => ({
        ...draft,
        purpose: bookingMail,
        about: { booking_id: change.after.id },
        is_new: change.before === null,
      })),
    ]),
    ...ofSessions.flatMap(({ session, tellings }) =>
      draftsToHosts(session.id, tellings, { addressed, invited }).map((draft) => ({
        ...draft,
        purpose: sessionMail,
        about: { session_id: session.id },
        is_new: false,
      })),
    ),
  ]);
}

function draftsToGuests(
  { now }: Work,
  change: BookingChange,
  addressed: ReadonlyMap<string, Addressed>,
): Draft[] {
  const { before, after } = change;
  const isLinkToCome =
    after.location?.type === 'google_meet' &&
    after.location.value === null &&
    after.status === 'confirmed' &&
    after.user_ids.some((user_id) => addressed.get(user_id)?.writes_to === 'google');
  const waits_until = isLinkToCome ? new Date(now.getTime() + WAITS_FOR_LINK).toISOString() : null;
  return tellingsOfGuests(change).map(({ recipient, told }) => ({
    purpose: bookingMail,
    about: { booking_id: after.id },
    record_id: after.id,
    is_new: before === null,
    recipient,
    locale: after.guest.locale,
    told,
    waits_until,
  }));
}

type Hosts = {
  addressed: ReadonlyMap<string, Addressed>;
  /** Whether a calendar holds what an earlier mail about a record brought. */
  invited: (record_id: string, user_id: string) => boolean;
};

/** Who has a calendar that is written by itself gets no invitation, but those that a mail brought before are kept right. */
function draftsToHosts(record_id: string, tellings: readonly Telling[], { addressed, invited }: Hosts) {
  return tellings.flatMap(({ recipient, told }) => {
    const host = addressed.get(recipient);
    if (!host) return [];
    const isWritten = host.writes_to !== null && !invited(record_id, host.user_id);
    const calendar = isWritten ? null : told.calendar;
    return [{ record_id, recipient, locale: host.locale, told: { ...told, calendar }, waits_until: null }];
  });
}

const INVITED = `SELECT DISTINCT ON (record_id, recipient) record_id, recipient,
    told -> 'calendar' ->> 'method' AS method
  FROM scheduler_mails
 WHERE organization_id = $1 AND record_id = ANY ($2) AND recipient = ANY ($3)
   AND told -> 'calendar' ->> 'method' IS NOT NULL
 ORDER BY record_id, recipient, position DESC`;

/** Which hosts with a calendar of their own still have an invitation that a mail brought. */
async function invitedByMail(
  { connection, organization_id }: Work,
  changes: readonly BookingChange[],
  addressed: ReadonlyMap<string, Addressed>,
): Promise<Hosts['invited']> {
  const writing = [...addressed.values()].filter(({ writes_to }) => writes_to !== null);
  const known = changes.flatMap(({ before, after }) =>
    [before?.id, before?.session_id, after.session_id].filter((one) => one != null),
  );
  if (writing.length === 0 || known.length === 0) return () => false;
  const rows = await connection.query<{ record_id: string; recipient: string; method: string }>(INVITED, [
    organization_id,
    [...new Set(known)],
    writing.map(({ user_id }) => user_id),
  ]);
  const invited = new Set(
    rows.flatMap(({ record_id, recipient, method }) =>
      method === 'REQUEST' ? [`${record_id} ${recipient}`] : [],
    ),
  );
  return (record_id, user_id) => invited.has(`${record_id} ${user_id}`);
}
