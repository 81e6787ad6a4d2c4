import { hash } from 'node:crypto';
import { oneOf } from '../../../db/one-of.ts';
import type { Work } from '../../../kernel/work.ts';
import { writeEntryJob } from './jobs.ts';
import { lockBookings, refreshSync } from './state.ts';

/** A booking as far as entries follow from it. */
type Booked = { id: string; session_id: string | null; status: string; user_ids: readonly string[] };

/** A change of a booking; `before` is null for a new one. It may have moved between sessions. */
type Changed = { before: Pick<Booked, 'session_id'> | null; after: Booked };

/** What entries a record has, or should have. */
type Wanted = { record_id: string; user_ids: readonly string[] };

type EntryState = { record_id: string; user_id: string; is_wanted: boolean; status: string };
type Target = { user_id: string; connection_id: string; calendar_id: string };

const ENTRIES = { tableName: 'scheduler_calendar_entries' };

/**
 * Asks for the entries that follow from changed bookings: one for each host with a write target while it is confirmed; a
 * session has one for all its guests. Those of hosts and bookings that are no more are removed. Called once the rows of the
 * bookings and their sessions were written.
 */
export async function wantEntries(work: Work, changes: readonly Changed[]): Promise<void> {
  await work.flush();
  const of_sessions = await sessionsOf(
    work,
    changes
      .flatMap(({ before, after }) => [before?.session_id, after.session_id])
      .filter((session_id) => session_id != null),
  );
  const single = changes
    .filter(({ before, after }) => after.session_id === null || before?.session_id === null)
    .map(({ after: { id, session_id, status, user_ids } }) => {
      return { record_id: id, user_ids: session_id === null && status === 'confirmed' ? user_ids : [] };
    });
  await wantEntriesOf(work, [...single, ...of_sessions], null);
}

/** Asks for the entries that one host has of some bookings and sessions, as these are now. */
export async function wantEntriesOfHost(
  work: Work,
  user_id: string,
  record_ids: readonly string[],
): Promise<void> {
  await work.flush();
  const single = await work.connection.query<Wanted>(
    `SELECT id AS record_id,
            CASE WHEN status = 'confirmed' AND session_id IS NULL THEN user_ids ELSE '[]'::jsonb END AS user_ids
       FROM scheduler_bookings WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id`,
    [work.organization_id, record_ids],
  );
  await wantEntriesOf(work, [...single, ...(await sessionsOf(work, record_ids))], user_id);
}

/** A session is in calendars as long as somebody has a seat. */
async function sessionsOf(
  { connection, organization_id }: Work,
  session_ids: readonly string[],
): Promise<Wanted[]> {
  if (session_ids.length === 0) return [];
  return connection.query<Wanted>(
    `SELECT session.id AS record_id,
            CASE WHEN session.status = 'confirmed' AND EXISTS (
              SELECT FROM scheduler_bookings AS booking
               WHERE booking.organization_id = session.organization_id AND booking.session_id = session.id
                 AND booking.status = 'confirmed') THEN session.user_ids ELSE '[]'::jsonb END AS user_ids
       FROM scheduler_sessions AS session WHERE session.organization_id = $1 AND session.id = ${oneOf('$2')}
      ORDER BY session.id`,
    [organization_id, [...new Set(session_ids)]],
  );
}

async function wantEntriesOf(work: Work, wanted: readonly Wanted[], host: string | null): Promise<void> {
  const { organization_id, now } = work;
  const isAsked = ({ user_id }: { user_id: string }) => host === null || user_id === host;
  const known = (await lockEntries(work, wanted)).filter(isAsked);
  const targets = (await targetsOf(work, wanted)).filter(isAsked);
  const have = new Set(known.map(keyOf));
  const users = new Map(wanted.map(({ record_id, user_ids }) => [record_id, new Set(user_ids)]));
  const made = wanted.flatMap(({ record_id }) =>
    targets
      .filter(({ user_id }) => users.get(record_id)!.has(user_id) && !have.has(keyOf({ record_id, user_id })))
      .map((target) => ({ ...target, record_id })),
  );
  const changed = known
    .map((entry) => ({ ...entry, wants: users.get(entry.record_id)!.has(entry.user_id) }))
    .filter(({ wants, is_wanted, status }) => wants || is_wanted || status === 'failed');
  if (made.length === 0 && changed.length === 0) return;
  work.insertAll(
    ENTRIES,
    made.map((entry) => ({
      ...entry,
      external_key: entryKey(entry.record_id, entry.user_id),
      is_wanted: true,
      revision: 0,
      status: 'pending',
      updated_at: now.toISOString(),
    })),
  );
  work.run(
    `UPDATE scheduler_calendar_entries AS entry
        SET is_wanted = changed.wants, revision = revision + 1, status = 'pending', failure = NULL, updated_at = $5
       FROM unnest($2::text[], $3::text[], $4::boolean[]) AS changed (record_id, user_id, wants)
      WHERE entry.organization_id = $1 AND entry.record_id = changed.record_id AND entry.user_id = changed.user_id`,
    [
      organization_id,
      changed.map(({ record_id }) => record_id),
      changed.map(({ user_id }) => user_id),
      changed.map(({ wants }) => wants),
      now.toISOString(),
    ],
  );
  const asked = [...made, ...changed];
  for (const { record_id, user_id } of asked) work.enqueue(writeEntryJob, { record_id, user_id });
  refreshSync(
    work,
    asked.map(({ record_id }) => record_id),
  );
}

function keyOf({ record_id, user_id }: Pick<EntryState, 'record_id' | 'user_id'>): string {
  return `${record_id} ${user_id}`;
}

async function lockEntries(
  { connection, organization_id }: Work,
  wanted: readonly Wanted[],
): Promise<EntryState[]> {
  return connection.query<EntryState>(
    `SELECT record_id, user_id, is_wanted, status FROM scheduler_calendar_entries
      WHERE organization_id = $1 AND record_id = ${oneOf('$2')} ORDER BY record_id, user_id FOR UPDATE`,
    [organization_id, wanted.map(({ record_id }) => record_id)],
  );
}

async function targetsOf(
  { connection, organization_id }: Work,
  wanted: readonly Wanted[],
): Promise<Target[]> {
  return connection.query<Target>(
    `SELECT connection.user_id, connection.id AS connection_id, calendar.id AS calendar_id
       FROM scheduler_connections AS connection
       JOIN scheduler_calendars AS calendar
         ON calendar.organization_id = connection.organization_id AND calendar.connection_id = connection.id
      WHERE connection.organization_id = $1 AND connection.user_id = ${oneOf('$2')} AND connection.status <> 'disconnected'
        AND calendar.is_write_target
      ORDER BY connection.user_id`,
    [organization_id, [...new Set(wanted.flatMap(({ user_ids }) => user_ids))]],
  );
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv';

/**
 * The ID of the entry of a record for a host, the same whenever it is asked for: base32hex (RFC 4648) of a SHA-256, the
 * letters that Google takes.
 */
export function entryKey(record_id: string, user_id: string): string {
  let [bits, value, text] = [0, 0, ''];
  for (const byte of hash('sha256', `${record_id} ${user_id}`, 'buffer')) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += DIGITS[(value >> (bits - 5)) & 31];
  }
  return text + DIGITS[(value << (5 - bits)) & 31];
}

/**
 * Asks once more for the entries of a connection that could not be written: it works again. Locks: the bookings, then the
 * entries.
 */
export async function retryEntries(work: Work, connection_id: string): Promise<void> {
  const { connection, organization_id, now } = work;
  const failed = await connection.query<{ record_id: string; user_id: string }>(
    `SELECT record_id, user_id FROM scheduler_calendar_entries
      WHERE organization_id = $1 AND connection_id = $2 AND status = 'failed' ORDER BY record_id, user_id`,
    [organization_id, connection_id],
  );
  const record_ids = [...new Set(failed.map(({ record_id }) => record_id))];
  await lockBookings(work, record_ids);
  work.run(
    `UPDATE scheduler_calendar_entries SET status = 'pending', failure = NULL, revision = revision + 1, updated_at = $3
      WHERE organization_id = $1 AND connection_id = $2 AND status = 'failed'`,
    [organization_id, connection_id, now.toISOString()],
  );
  for (const entry of failed) work.enqueue(writeEntryJob, entry);
  refreshSync(work, record_ids);
}
