import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { PRESENT } from '../../platform/jobs/notices.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { giveBack } from '../usage/reservations.ts';
import { changeUpload } from './finish.ts';
import { type UploadRow, uploadColumns } from './record.ts';

/** Uploads that one look takes. */
const LOOK = 200;

/** Milliseconds in which an upload that has ended is remembered. */
const MEMORY = 7 * 24 * 60 * 60_000;

/** `expires_at` as text, to the microsecond. */
type Due = { organization_id: string; id: string; expires_at: string };

/** Those whose time is over, but for those to which bytes come just now. */
const DUE = `storage_key IS NOT NULL AND expires_at <= $1 AND status IN ('receiving', 'failed')
  AND (writer_process IS NULL OR writer_process <> ALL (${PRESENT}))`;

/**
 * Ends uploads whose time is over, with their bytes and their room, and answers how many; throws at the end where some
 * could not be ended.
 */
export async function expireUploads(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  await forgetEnded(database, now);
  const look = (after: Due | undefined) => dueUploads(database, now, after);
  return eachDue(
    { look, size: LOOK, signal, fault: 'uploads could not be ended' },
    ({ organization_id, id }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          (work) => expireUpload(work, id),
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueUploads(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, id, expires_at::text AS expires_at FROM cloud_uploads
        WHERE ${DUE} AND (expires_at, id) > ($2::timestamptz, $3)
        ORDER BY cloud_uploads.expires_at, id LIMIT ${LOOK}`,
      [now.toISOString(), after?.expires_at ?? '-infinity', after?.id ?? ''],
    ),
  );
}

async function expireUpload(work: Work, id: string): Promise<boolean> {
  const [row] = await work.connection.query<UploadRow>(
    `SELECT ${uploadColumns.join(', ')} FROM cloud_uploads
      WHERE ${DUE} AND organization_id = $2 AND id = $3 FOR NO KEY UPDATE SKIP LOCKED`,
    [work.now.toISOString(), work.organization_id, id],
  );
  if (!row) return false;
  changeUpload(work, row, { status: 'expired', storage_key: null, writer: null, writer_process: null });
  releaseFile(work, row.storage_key!);
  await giveBack(work, id);
  return true;
}

/** Rows that one statement forgets. */
const FORGOTTEN = 5_000;

async function forgetEnded(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - MEMORY).toISOString();
  await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(
      `DELETE FROM cloud_uploads WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM cloud_uploads WHERE storage_key IS NULL AND updated_at < $1 LIMIT ${FORGOTTEN} FOR UPDATE SKIP LOCKED))`,
      [before],
    ),
  );
}
