import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import type { Reminded } from './due.ts';
import { bookingReminder, sessionReminder } from './mail.ts';

type Key = {
  organization_id: string;
  record_id: string;
  revision: number;
  minutes_before: number;
  recipient: Reminded;
};
type Due = Key & { due_at: string };

/** Reminders that one look finds. */
const LOOK = 200;

/** Asks for the mails of the reminders that are due, each in its own transaction, and answers how many. */
export function sendDueReminders(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Due | undefined) => dueReminders(database, now, after),
      size: LOOK,
      signal,
      fault: 'reminders could not be sent',
    },
    ({ organization_id, ...due }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          (work) => remind(work, due),
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueReminders(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, record_id, revision, minutes_before, recipient, due_at::text AS due_at
         FROM scheduler_reminders
        WHERE mail_id IS NULL AND due_at <= $1
          AND (due_at, organization_id, record_id, recipient) > ($2::timestamptz, $3, $4, $5)
        ORDER BY scheduler_reminders.due_at, organization_id, record_id, recipient LIMIT ${LOOK}`,
      [
        now.toISOString(),
        after?.due_at ?? '-infinity',
        after?.organization_id ?? '',
        after?.record_id ?? '',
        after?.recipient ?? '',
      ],
    ),
  );
}

type Found = {
  /** The language of the one who is reminded; null where nobody is. */
  locale: Locale | null;
  /** Whether a later reminder is due too: it says the same. */
  is_overtaken: boolean;
};

const AHEAD = `status = 'confirmed' AND "start" > $6`;

/** Locks a reminder that is due, and sees what it is about; none where another process has it in hand. */
const TAKE = `SELECT
    CASE WHEN reminder.recipient = 'guest'
      THEN (SELECT guest ->> 'locale' FROM scheduler_bookings AS booking WHERE booking.organization_id = $1
             AND booking.id = reminder.record_id AND booking.revision = reminder.revision AND ${AHEAD})
      ELSE (SELECT person.locale FROM users AS person WHERE person.id = reminder.recipient AND (
        EXISTS (SELECT FROM scheduler_bookings AS booking WHERE booking.organization_id = $1
                 AND booking.id = reminder.record_id AND booking.revision = reminder.revision AND ${AHEAD})
        OR EXISTS (SELECT FROM scheduler_sessions AS session WHERE session.organization_id = $1
                    AND session.id = reminder.record_id AND session.taken > 0 AND ${AHEAD})))
    END AS locale,
    EXISTS (SELECT FROM scheduler_reminders AS later
      WHERE later.organization_id = $1 AND later.record_id = reminder.record_id
        AND later.revision = reminder.revision AND later.recipient = reminder.recipient
        AND later.minutes_before < reminder.minutes_before AND later.due_at <= $6) AS is_overtaken
  FROM scheduler_reminders AS reminder
 WHERE reminder.organization_id = $1 AND reminder.record_id = $2 AND reminder.revision = $3
   AND reminder.minutes_before = $4 AND reminder.recipient = $5 AND reminder.mail_id IS NULL
   FOR UPDATE SKIP LOCKED`;

const THIS = `organization_id = $1 AND record_id = $2 AND revision = $3 AND minutes_before = $4 AND recipient = $5`;

/** Asks for the mail of one reminder, once: its row names the mail from then on. What reminds of nothing goes. */
async function remind(
  work: Work,
  { record_id, revision, minutes_before, recipient }: Omit<Key, 'organization_id'>,
): Promise<boolean> {
  const { connection, organization_id, now } = work;
  const key = [organization_id, record_id, revision, minutes_before, recipient];

  const [found] = await connection.query<Found>(TAKE, [...key, now.toISOString()]);
  if (!found) return false;
  if (found.locale === null || found.is_overtaken) {
    work.run(`DELETE FROM scheduler_reminders WHERE ${THIS}`, key);
    return false;
  }
  const { locale } = found;
  const about = { minutes_before, recipient };
  const mail_id = record_id.startsWith('bsess_')
    ? addMail(work, { purpose: sessionReminder, about: { session_id: record_id, ...about }, locale })
    : addMail(work, {
        purpose: bookingReminder,
        about: { booking_id: record_id, revision, ...about },
        locale,
      });
  work.run(`UPDATE scheduler_reminders SET mail_id = $6 WHERE ${THIS}`, [...key, mail_id]);
  work.enqueue(sendMailJob, { mail_id });
  return true;
}
