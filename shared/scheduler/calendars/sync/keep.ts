import { newId } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import type { EventChange, Reading } from '../provider.ts';
import { type DueCalendar, INTERVAL, type Running } from './run.ts';

type Where = { connection_id: string; calendar_id: string };

/** Forgets what an earlier reading of a calendar has left that came to no end. */
export async function clearRead(work: Work, { connection_id, calendar_id }: Where): Promise<void> {
  await work.connection.query(
    'DELETE FROM scheduler_read_events WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3',
    [work.organization_id, connection_id, calendar_id],
  );
}

/**
 * Keeps a page of a reading aside, until all of it was read. Events with our own UID, as mails bring them into calendars, do
 * not occupy anybody: the booking does. `host` is the name of BASE_URL's, as in
 * the UIDs of mails.
 */
export async function keepPage(
  work: Work,
  { connection_id, calendar_id }: Where,
  changes: readonly EventChange[],
  host: string,
): Promise<void> {
  const rows = changes.map(({ key, uid, busy }) => {
    const counted = uid !== null && isOurs(uid, host) ? null : busy;
    return {
      id: newId('cevt', work.now),
      external_key: key,
      start: counted?.start ?? null,
      end: counted?.end ?? null,
      all_day: counted?.all_day ?? null,
      title: counted?.title ?? null,
    };
  });
  await work.connection.query(
    `INSERT INTO scheduler_read_events (organization_id, connection_id, calendar_id, external_key, id, "start", "end", all_day,
       title)
     SELECT DISTINCT ON (read.external_key) $1, $2, $3, read.external_key, read.id, read."start", read."end", read.all_day,
            read.title
       FROM jsonb_to_recordset($4::jsonb) AS read (external_key text, id text, "start" timestamptz, "end" timestamptz,
         all_day boolean, title text)
     ON CONFLICT (organization_id, connection_id, calendar_id, external_key) DO UPDATE
        SET "start" = excluded."start", "end" = excluded."end", all_day = excluded.all_day, title = excluded.title`,
    [work.organization_id, connection_id, calendar_id, JSON.stringify(rows)],
  );
}

/** Whether a UID is that of a booking or session of this service. */
function isOurs(uid: string, host: string): boolean {
  return /^(book|bsess)_[0-9a-z]{26}@/.test(uid) && uid.endsWith(`@${host}`);
}

/** What a whole reading says besides its events. */
export type Read = {
  holds: Reading['holds'];
  sync_token: string | null;
  time_zone: string | null;
  began_at: Date;
};

/**
 * Makes what was read what is there, in one commit: events of a whole reading that it did not name are gone, our own entries
 * do not count. A calendar that was asked for again meanwhile stays due. False where it is not to be read any more.
 * Locks: the connection.
 */
export async function takeReading(
  work: Work,
  running: Running,
  calendar: DueCalendar,
  read: Read,
): Promise<boolean> {
  const { connection, organization_id, now } = work;
  const where = [organization_id, running.id, calendar.id];
  const [living] = await connection.query(
    `SELECT FROM scheduler_connections AS connection
       JOIN scheduler_calendars AS calendar
         ON calendar.organization_id = connection.organization_id AND calendar.connection_id = connection.id
      WHERE connection.organization_id = $1 AND connection.id = $2 AND calendar.id = $3
        AND connection.status <> 'disconnected' AND calendar.checks_conflicts FOR NO KEY UPDATE OF connection, calendar`,
    where,
  );
  await takeOwn(work, where, read.holds);
  if (living) {
    await connection.query(read.holds === 'all' ? REMOVE_UNREAD : REMOVE_READ_AS_FREE, where);
    await connection.query(TAKE_BUSY, [...where, running.user_id]);
    const next = new Date(now.getTime() + INTERVAL).toISOString();
    await connection.query(
      `UPDATE scheduler_calendars
          SET sync_token = $4, last_synced_at = $5, time_zone = COALESCE($6, time_zone),
              full_sync_at = CASE WHEN $7 THEN $5 ELSE full_sync_at END,
              next_sync_at = CASE WHEN next_sync_at = $8 THEN $9 ELSE next_sync_at END
        WHERE organization_id = $1 AND connection_id = $2 AND id = $3`,
      [
        ...where,
        read.sync_token,
        read.began_at.toISOString(),
        read.time_zone,
        read.holds === 'all',
        calendar.asked_at,
        next,
      ],
    );
    await noteSynced(work, running.id);
  }
  await clearRead(work, { connection_id: running.id, calendar_id: calendar.id });
  return living !== undefined;
}

/** The connection is as old as the calendar that was read longest ago. */
export async function noteSynced(work: Work, connection_id: string): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_connections SET last_synced_at = (
       SELECT CASE WHEN bool_and(last_synced_at IS NOT NULL) THEN min(last_synced_at) END FROM scheduler_calendars
        WHERE organization_id = $1 AND connection_id = $2 AND checks_conflicts)
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, connection_id],
  );
}

/** Our own entries are taken from what was read; those that we removed and that are seen to be gone have no time any more. */
async function takeOwn(work: Work, where: readonly string[], holds: Read['holds']): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_calendar_entries AS entry SET "start" = NULL, "end" = NULL
      WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3 AND status = 'removed'
        AND "end" IS NOT NULL AND ${holds === 'all' ? `NOT EXISTS (${OWN_READ} AND read."start" IS NOT NULL)` : `EXISTS (${OWN_READ} AND read."start" IS NULL)`}`,
    where,
  );
  await work.connection.query(
    `DELETE FROM scheduler_read_events AS read USING (${OWN} UNION ALL ${LEFT}) AS own
      WHERE read.organization_id = $1 AND read.connection_id = $2 AND read.calendar_id = $3
        AND read.external_key = own.external_key`,
    where,
  );
  // One that was read before it was known as ours.
  await work.connection.query(
    `DELETE FROM scheduler_external_events AS event USING (${OWN} UNION ALL ${LEFT}) AS own
      WHERE ${OF_CALENDAR} AND event.external_key = own.external_key`,
    where,
  );
}

const OWN = `SELECT external_key FROM scheduler_calendar_entries
  WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3`;

const LEFT = `SELECT external_key FROM scheduler_left_entries
  WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3`;

const OWN_READ = `SELECT FROM scheduler_read_events AS read
  WHERE read.organization_id = $1 AND read.connection_id = $2 AND read.calendar_id = $3
    AND read.external_key = entry.external_key`;

const SAME_READ = `SELECT FROM scheduler_read_events AS read
  WHERE read.organization_id = $1 AND read.connection_id = $2 AND read.calendar_id = $3
    AND read.external_key = event.external_key`;

const OF_CALENDAR = 'event.organization_id = $1 AND event.connection_id = $2 AND event.calendar_id = $3';

const REMOVE_UNREAD = `DELETE FROM scheduler_external_events AS event
  WHERE ${OF_CALENDAR} AND NOT EXISTS (${SAME_READ} AND read."start" IS NOT NULL)`;

const REMOVE_READ_AS_FREE = `DELETE FROM scheduler_external_events AS event
  WHERE ${OF_CALENDAR} AND EXISTS (${SAME_READ} AND read."start" IS NULL)`;

const TAKE_BUSY = `
  INSERT INTO scheduler_external_events AS event (organization_id, id, connection_id, calendar_id, external_key, user_id,
    "start", "end", all_day, title)
  SELECT $1, read.id, $2, $3, read.external_key, $4, read."start", read."end", read.all_day, read.title
    FROM scheduler_read_events AS read
   WHERE read.organization_id = $1 AND read.connection_id = $2 AND read.calendar_id = $3 AND read."start" IS NOT NULL
  ON CONFLICT (organization_id, connection_id, calendar_id, external_key) DO UPDATE
     SET "start" = excluded."start", "end" = excluded."end", all_day = excluded.all_day, title = excluded.title
   WHERE (event."start", event."end", event.all_day, event.title)
         IS DISTINCT FROM (excluded."start", excluded."end", excluded.all_day, excluded.title)`;

/** Takes a calendar away that its provider does not know any more, with all that was read of it. Locks: the connection. */
export async function dropCalendar(work: Work, connection_id: string, calendar_id: string): Promise<void> {
  await work.connection.query(
    'DELETE FROM scheduler_calendars WHERE organization_id = $1 AND connection_id = $2 AND id = $3',
    [work.organization_id, connection_id, calendar_id],
  );
}
