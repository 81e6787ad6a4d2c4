import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { PRESENT } from '../../platform/jobs/notices.ts';
import { lockUpload } from './queries.ts';
import type { UploadRow } from './record.ts';

/**
 * One request at a time has the turn at an upload: its row names the request and the presence of its process, which ends
 * when the process dies. Whoever wants the turn says so in the row and by NOTIFY; who has it keeps what arrived and gives
 * it back. While nobody has it, `received_bytes` is what the store has.
 */

/** A request that wants a turn, and its process. */
export type Writer = { writer: string; process: number };

/** The row, whether the writer has the turn now, and whether a process that is gone had it before. */
export type Asked = { row: UploadRow; is_taken: boolean; was_left: boolean };

/** Process of a turn that nobody has, after which the store is to be asked how far the upload has come. */
export const NOBODY = 0;

/** Milliseconds after the last byte in which an upload goes on. */
export const LIFETIME = 24 * 60 * 60_000;

/** The subject of the notices of an upload. */
export function tellOf(work: Work, id: string): void {
  work.run("SELECT pg_notify('jobs', $1)", [id]);
}

/**
 * Takes the turn at an upload that is receiving, or says that it is wanted where another request has it. `may_act` says who
 * else than its maker may. Errors: `not_found`.
 */
export async function askForTurn(
  work: Work,
  id: string,
  { writer, process }: Writer,
  may_act: (row: UploadRow) => boolean,
): Promise<Asked> {
  const row = await lockUpload(work, id);
  if (!may_act(row)) throw notFound();
  if (row.status !== 'receiving') return { row, is_taken: false, was_left: false };
  const isHeld = row.writer_process !== null && (await isPresent(work, row.writer_process));
  if (isHeld) {
    work.run('UPDATE cloud_uploads SET is_wanted = true WHERE organization_id = $1 AND id = $2', [
      work.organization_id,
      id,
    ]);
    tellOf(work, id);
    return { row, is_taken: false, was_left: false };
  }
  work.run(
    `UPDATE cloud_uploads SET writer = $3, writer_process = $4, is_wanted = false WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, id, writer, process],
  );
  return { row: { ...row, writer, writer_process: process }, is_taken: true, was_left: row.writer !== null };
}

async function isPresent({ connection }: Reader, process: number): Promise<boolean> {
  const [found] = await connection.query<{ is_present: boolean }>(
    `SELECT $1::integer = ANY (${PRESENT}) AS is_present`,
    [process],
  );
  return found!.is_present;
}

/** The row of an upload whose turn the writer has, locked. Errors: `not_found`; `upload_locked` where another one has it. */
export async function lockTurn(work: Work, id: string, writer: string): Promise<UploadRow> {
  const row = await lockUpload(work, id);
  if (row.writer !== writer) throw new Failure('upload_locked', { headers: { 'Retry-After': '1' } });
  return row;
}

/** Whether somebody else wants the turn, or has it already. */
export async function isTurnWanted(reader: Reader, id: string, writer: string): Promise<boolean> {
  const [row] = await reader.connection.query<{ is_wanted: boolean }>(
    'SELECT is_wanted FROM cloud_uploads WHERE organization_id = $1 AND id = $2 AND writer = $3',
    [reader.organization_id, id, writer],
  );
  return row?.is_wanted ?? true;
}

/**
 * Gives the turn back with what has arrived by then; null where only the store knows. What arrived makes it last another 24
 * hours. Does nothing where another request has taken it.
 */
export function giveTurnBack(
  work: Work,
  id: string,
  writer: string,
  { received, at }: { received: number | null; at: Date },
): void {
  work.run(
    `UPDATE cloud_uploads
        SET writer = CASE WHEN $4::bigint IS NULL THEN writer END,
            writer_process = CASE WHEN $4::bigint IS NULL THEN ${NOBODY} END,
            is_wanted = false, received_bytes = coalesce($4, received_bytes),
            expires_at = CASE WHEN $4 > received_bytes THEN $5 ELSE expires_at END,
            updated_at = CASE WHEN $4 > received_bytes THEN greatest($6, updated_at + interval '1 ms') ELSE updated_at END
      WHERE organization_id = $1 AND id = $2 AND writer = $3`,
    [
      work.organization_id,
      id,
      writer,
      received,
      new Date(at.getTime() + LIFETIME).toISOString(),
      at.toISOString(),
    ],
  );
  tellOf(work, id);
}
