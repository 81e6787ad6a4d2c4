import type { Orphans } from '../../platform/outbox/orphans.ts';
import { writeEntryJob } from './entries/jobs.ts';
import { syncCalendarsJob } from './sync/jobs.ts';
import { requestDue } from './sync/request.ts';

/** Connections that say they are read, or are about to be, of which the outbox knows nothing. */
const lostRuns: Orphans = {
  find: `SELECT organization_id, id FROM scheduler_connections
    WHERE (sync_is_queued OR sync_delivery_id IS NOT NULL OR sync_job_id IS NOT NULL) AND status <> 'disconnected'
    EXCEPT SELECT organization_id, payload ->> 'connection_id' FROM outbox WHERE name = '${syncCalendarsJob.name}'`,
  restore: async (work, ids) => {
    const { connection, organization_id } = work;
    const rows = await connection.query<{ id: string }>(
      `SELECT id FROM scheduler_connections WHERE organization_id = $1 AND id = ANY ($2)
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
      [organization_id, ids],
    );
    const delivered = await connection.query<{ id: string }>(
      `SELECT payload ->> 'connection_id' AS id FROM outbox
        WHERE organization_id = $1 AND name = $2 AND payload ->> 'connection_id' = ANY ($3)`,
      [organization_id, syncCalendarsJob.name, rows.map(({ id }) => id)],
    );
    const cared_for = new Set(delivered.map(({ id }) => id));
    const lost = rows.map(({ id }) => id).filter((id) => !cared_for.has(id));
    for (const id of lost) {
      await connection.query(
        `UPDATE scheduler_connections SET sync_is_queued = false, sync_delivery_id = NULL, sync_job_id = NULL
          WHERE organization_id = $1 AND id = $2`,
        [organization_id, id],
      );
      await requestDue(work, id);
    }
    return lost.length;
  },
};

/** Entries that are to be written of which the outbox knows nothing. */
const lostEntries: Orphans = {
  find: `SELECT organization_id, record_id || ' ' || user_id AS id FROM scheduler_calendar_entries
    WHERE status = 'pending'
    EXCEPT SELECT organization_id, (payload ->> 'record_id') || ' ' || (payload ->> 'user_id') FROM outbox
     WHERE name = '${writeEntryJob.name}'`,
  restore: async (work, ids) => {
    const { connection, organization_id } = work;
    const rows = await connection.query<{ record_id: string; user_id: string }>(
      `SELECT record_id, user_id FROM scheduler_calendar_entries
        WHERE organization_id = $1 AND record_id || ' ' || user_id = ANY ($2) AND status = 'pending'
        ORDER BY record_id, user_id FOR NO KEY UPDATE SKIP LOCKED`,
      [organization_id, ids],
    );
    const delivered = await connection.query<{ id: string }>(
      `SELECT (payload ->> 'record_id') || ' ' || (payload ->> 'user_id') AS id FROM outbox
        WHERE organization_id = $1 AND name = $2`,
      [organization_id, writeEntryJob.name],
    );
    const cared_for = new Set(delivered.map(({ id }) => id));
    const lost = rows.filter(({ record_id, user_id }) => !cared_for.has(`${record_id} ${user_id}`));
    for (const row of lost) work.enqueue(writeEntryJob, row);
    return lost.length;
  },
};

/** What waits for work on calendars elsewhere. */
export const calendarOrphans: readonly Orphans[] = [lostRuns, lostEntries];
