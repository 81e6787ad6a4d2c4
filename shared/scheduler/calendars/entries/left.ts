import type { Work } from '../../../kernel/work.ts';
import { lockBookings, refreshSync } from './state.ts';
import { wantEntriesOfHost } from './want.ts';

/** An entry in a calendar that was disconnected after it had been written. */
export type LeftEntry = { calendar_id: string; external_key: string };

/**
 * Leaves the entries of a connection that ends: they stay in the calendar elsewhere, and nobody changes them until the same
 * account is connected again. Locks: the bookings, then the entries.
 */
export async function leaveEntries(work: Work, connection_id: string): Promise<void> {
  const { connection, organization_id, now } = work;
  const values = [organization_id, connection_id, now.toISOString()];
  const told = await connection.query<{ record_id: string }>(
    `SELECT DISTINCT record_id FROM scheduler_calendar_entries
      WHERE organization_id = $1 AND connection_id = $2 AND status <> 'removed' AND ("end" IS NULL OR "end" > $3)
      ORDER BY record_id`,
    values,
  );
  const record_ids = told.map(({ record_id }) => record_id);
  await lockBookings(work, record_ids);
  work.run(
    `WITH ended AS (
       DELETE FROM scheduler_calendar_entries WHERE organization_id = $1 AND connection_id = $2 RETURNING *)
     INSERT INTO scheduler_left_entries (organization_id, connection_id, calendar_id, external_key, record_id, user_id, etag,
       meeting_link, "start", "end")
     SELECT organization_id, connection_id, calendar_id, external_key, record_id, user_id, etag, meeting_link, "start", "end"
       FROM ended WHERE status <> 'removed' AND ("end" IS NULL OR "end" > $3)
     ON CONFLICT DO NOTHING`,
    values,
  );
  refreshSync(work, record_ids);
}

/**
 * Hands what earlier connections of the same account have left over to a new one, as far as it has their calendars. From
 * then on they are known as ours there. Locks: none but the left entries.
 */
export async function claimLeft(work: Work, connection_id: string): Promise<void> {
  await work.connection.query(
    `WITH claimed AS (
       DELETE FROM scheduler_left_entries AS entry
        USING scheduler_connections AS present
         JOIN scheduler_connections AS earlier
           ON earlier.organization_id = present.organization_id AND earlier.user_id = present.user_id
          AND earlier.provider = present.provider AND earlier.account_key = present.account_key
          AND earlier.status = 'disconnected'
         JOIN scheduler_calendars AS calendar
           ON calendar.organization_id = present.organization_id AND calendar.connection_id = present.id
        WHERE present.organization_id = $1 AND present.id = $2
          AND entry.organization_id = $1 AND entry.connection_id = earlier.id AND entry.calendar_id = calendar.id
       RETURNING entry.*)
     INSERT INTO scheduler_left_entries (organization_id, connection_id, calendar_id, external_key, record_id, user_id, etag,
       meeting_link, "start", "end")
     SELECT organization_id, $2, calendar_id, external_key, record_id, user_id, etag, meeting_link, "start", "end"
       FROM claimed ON CONFLICT DO NOTHING`,
    [work.organization_id, connection_id],
  );
}

/** Records of one step. */
const STEP = 100;

/** Whether a connection has not ended, which it does not until the work commits: what it leaves is for the next one. */
async function isLiving({ connection, organization_id }: Work, connection_id: string): Promise<boolean> {
  const found = await connection.query(
    `SELECT FROM scheduler_connections
      WHERE organization_id = $1 AND id = $2 AND status <> 'disconnected' FOR SHARE`,
    [organization_id, connection_id],
  );
  return found.length > 0;
}

/**
 * Takes some of the entries that are left in the calendars of a connection as those of their bookings again, and asks for
 * what is wanted of them now. False where none is left to take, or the connection has ended: a booking has one entry for a host,
 * so one that was written elsewhere meanwhile keeps that one. Locks: the connection, the bookings, then the entries.
 */
export async function takeBackLeft(work: Work, connection_id: string, user_id: string): Promise<boolean> {
  if (!(await isLiving(work, connection_id))) return false;
  const { connection, organization_id, now } = work;
  const values = [organization_id, connection_id];
  const found = await connection.query<{ record_id: string }>(
    `SELECT DISTINCT gone.record_id FROM scheduler_left_entries AS gone
      WHERE gone.organization_id = $1 AND gone.connection_id = $2 AND NOT EXISTS (
        SELECT FROM scheduler_calendar_entries AS entry
         WHERE entry.organization_id = $1 AND entry.record_id = gone.record_id AND entry.user_id = gone.user_id)
      ORDER BY gone.record_id LIMIT ${STEP}`,
    values,
  );
  if (found.length === 0) return false;
  const record_ids = found.map(({ record_id }) => record_id);
  await lockBookings(work, record_ids);
  await connection.query(
    `INSERT INTO scheduler_calendar_entries (organization_id, record_id, user_id, connection_id, calendar_id, external_key,
       is_wanted, revision, status, etag, meeting_link, "start", "end", updated_at)
     SELECT organization_id, record_id, user_id, connection_id, calendar_id, external_key, true, 0, 'pending', etag,
            meeting_link, "start", "end", $4
       FROM scheduler_left_entries
      WHERE organization_id = $1 AND connection_id = $2 AND record_id = ANY ($3)
      ORDER BY record_id, user_id, calendar_id
     ON CONFLICT (organization_id, record_id, user_id) DO NOTHING`,
    [...values, record_ids, now.toISOString()],
  );
  await connection.query(
    `DELETE FROM scheduler_left_entries AS gone USING scheduler_calendar_entries AS entry
      WHERE gone.organization_id = $1 AND gone.connection_id = $2 AND gone.record_id = ANY ($3)
        AND entry.organization_id = $1 AND entry.record_id = gone.record_id AND entry.user_id = gone.user_id
        AND entry.calendar_id = gone.calendar_id`,
    [...values, record_ids],
  );
  await wantEntriesOfHost(work, user_id, record_ids);
  return true;
}

/**
 * Some of the entries that are left in the calendars of a connection, but for what its booking has there by another one; none of
 * one that has ended. Locks: the connection.
 */
export async function leftEntries(work: Work, connection_id: string): Promise<LeftEntry[]> {
  if (!(await isLiving(work, connection_id))) return [];
  const { connection, organization_id } = work;
  const values = [organization_id, connection_id];
  await connection.query(
    `DELETE FROM scheduler_left_entries AS gone USING scheduler_calendar_entries AS entry
      WHERE gone.organization_id = $1 AND gone.connection_id = $2
        AND entry.organization_id = $1 AND entry.record_id = gone.record_id AND entry.user_id = gone.user_id
        AND entry.calendar_id = gone.calendar_id`,
    values,
  );
  return connection.query<LeftEntry>(
    `SELECT calendar_id, external_key FROM scheduler_left_entries WHERE organization_id = $1 AND connection_id = $2
      ORDER BY calendar_id, external_key LIMIT ${STEP}`,
    values,
  );
}

/** Forgets a left entry that was removed. */
export function forgetLeft(
  work: Work,
  connection_id: string,
  { calendar_id, external_key }: LeftEntry,
): void {
  work.run(
    `DELETE FROM scheduler_left_entries
      WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3 AND external_key = $4`,
    [work.organization_id, connection_id, calendar_id, external_key],
  );
}
