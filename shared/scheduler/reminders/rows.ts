import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';
import type { BookingChange } from '../bookings/change.ts';
import type { BookingRecord } from '../bookings/record.ts';
import type { Reminder } from '../event-types/fields.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { remindersOf } from './due.ts';

/**
 * Keeps the reminders of bookings as the changes want them: a confirmed time has its own, by the rules of its event type as
 * they are now, and every other one has none. A reminder that was sent stays, so that it is sent once. The hosts of seats are
 * reminded of the session.
 */
export async function keepReminders(work: Work, changes: readonly BookingChange[]): Promise<void> {
  const moved = changes.filter(({ before, after }) => isReminded(before) || isReminded(after));
  const anew = moved.filter(({ before, after }) => !isSame(before, after));
  if (anew.length === 0) return;
  removeReminders(
    work,
    anew.flatMap(({ before }) => (isReminded(before) ? [before.id] : [])),
  );
  const rulesOf = await reminderRules(
    work,
    anew.flatMap(({ after }) => after.event_type_id ?? []),
  );
  const rows = anew
    .map(({ after }) => after)
    .filter(isReminded)
    .flatMap((booking) => rowsOf(booking, rulesOf(booking.event_type_id), work.now));
  addRows(work, rows);
  removeOfEmptySessions(work, anew);
}

function isReminded(booking: BookingRecord | null): booking is BookingRecord {
  return booking?.status === 'confirmed';
}

function isSame(before: BookingRecord | null, after: BookingRecord): boolean {
  return isReminded(before) && isReminded(after) && before.revision === after.revision;
}

type Row = {
  record_id: string;
  revision: number;
  minutes_before: number;
  recipient: string;
  due_at: string;
};

function rowsOf(booking: BookingRecord, rules: readonly Reminder[], now: Date): Row[] {
  const { id, session_id, revision } = booking;
  if (session_id === null) {
    const due = remindersOf(rules, { ...booking, to: 'both' }, now);
    return due.map((reminder) => ({ record_id: id, revision, ...reminder }));
  }
  const guest = remindersOf(rules, { ...booking, to: 'guest' }, now);
  const hosts = remindersOf(rules, { ...booking, to: 'hosts' }, now);
  return [
    ...guest.map((reminder) => ({ record_id: id, revision, ...reminder })),
    ...hosts.map((reminder) => ({ record_id: session_id, revision: 0, ...reminder })),
  ];
}

/** Those that are there stay: the hosts of a session are reminded of it from its first seat on. */
function addRows(work: Work, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  work.run(
    `INSERT INTO scheduler_reminders (organization_id, record_id, revision, minutes_before, recipient, due_at)
     SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::integer[], $5::text[], $6::timestamptz[])
     ON CONFLICT DO NOTHING`,
    [
      work.organization_id,
      rows.map(({ record_id }) => record_id),
      rows.map(({ revision }) => revision),
      rows.map(({ minutes_before }) => minutes_before),
      rows.map(({ recipient }) => recipient),
      rows.map(({ due_at }) => due_at),
    ],
  );
}

/** Takes the reminders of bookings back that were not sent. */
function removeReminders(work: Work, record_ids: readonly string[]): void {
  if (record_ids.length === 0) return;
  work.run(
    `DELETE FROM scheduler_reminders
      WHERE organization_id = $1 AND record_id = ${oneOf('$2')} AND mail_id IS NULL`,
    [work.organization_id, record_ids],
  );
}

/** A session whose last seat is given back reminds nobody. */
function removeOfEmptySessions(work: Work, changes: readonly BookingChange[]): void {
  const left = changes.flatMap(({ before }) => before?.session_id ?? []);
  if (left.length === 0) return;
  work.run(
    `DELETE FROM scheduler_reminders AS reminder USING scheduler_sessions AS session
      WHERE reminder.organization_id = $1 AND reminder.record_id = ${oneOf('$2')} AND reminder.mail_id IS NULL
        AND session.organization_id = $1 AND session.id = reminder.record_id
        AND (session.status = 'cancelled' OR session.taken = 0)`,
    [work.organization_id, left],
  );
}

/** The reminders of event types as they are now, those of the settings for types that say none and bookings without one. */
async function reminderRules(
  work: Work,
  event_type_ids: readonly string[],
): Promise<(event_type_id: string | null) => readonly Reminder[]> {
  const { default_reminders } = await schedulerSettingsOf(work);
  const own = new Map<string, Reminder[] | null>();
  if (event_type_ids.length > 0) {
    const rows = await work.connection.query<{ id: string; reminders: Reminder[] | null }>(
      `SELECT id, reminders FROM scheduler_event_types WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
      [work.organization_id, [...new Set(event_type_ids)]],
    );
    for (const { id, reminders } of rows) own.set(id, reminders);
  }
  return (event_type_id) => (event_type_id && own.get(event_type_id)) || default_reminders;
}
