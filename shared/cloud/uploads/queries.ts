import { isFiltered, pageOf } from '../../db/list.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { managesAll } from '../permissions.ts';
import { askingOf } from '../tree/asking.ts';
import {
  type CloudUpload,
  UploadModel,
  type UploadRow,
  type UploadStatus,
  uploadColumns,
  uploadOf,
} from './record.ts';

const BY_ID = `SELECT ${uploadColumns.join(', ')} FROM cloud_uploads WHERE organization_id = $1 AND id = $2`;

/** An upload, for who made it, the owner and admins. Errors: `not_found`. */
export async function uploadById(reader: Reader, id: string): Promise<CloudUpload> {
  const [row] = await reader.connection.query<UploadRow>(BY_ID, [reader.organization_id, id]);
  if (!row || !(isOwn(reader, row) || managesAll(askingOf(reader)))) throw notFound();
  return uploadOf(row);
}

/** The row of an upload that the caller has made. Errors: `not_found`. */
export async function ownUpload(reader: Reader, id: string): Promise<UploadRow> {
  const [row] = await reader.connection.query<UploadRow>(BY_ID, [reader.organization_id, id]);
  if (!row || !isOwn(reader, row)) throw notFound();
  return row;
}

/** The row of an upload, locked until the work commits: before the tree and all that is in it. Errors: `not_found`. */
export async function lockUpload({ connection, organization_id }: Reader, id: string): Promise<UploadRow> {
  const [row] = await connection.query<UploadRow>(`${BY_ID} FOR NO KEY UPDATE`, [organization_id, id]);
  if (!row) throw notFound();
  return row;
}

/** Whether the caller is who made it: a key is who made the key. */
export function isOwn(
  { actor }: Pick<Reader, 'actor'>,
  { created_by }: Pick<UploadRow, 'created_by'>,
): boolean {
  return actor.user_id === created_by;
}

/** Errors: `expired` for an upload that was ended, or is over its time. */
export function requireLiving({ status, expires_at }: UploadRow, now: Date): void {
  const isEnded = status === 'aborted' || status === 'expired';
  const isTimed = status === 'receiving' || status === 'failed';
  if (isEnded || (isTimed && expires_at <= now.toISOString())) throw new Failure('expired');
}

/** The row of an upload that goes on, or has come to its end. Errors: `expired`; that with which it has failed. */
export function requireGoing(row: UploadRow, now: Date): UploadRow {
  requireLiving(row, now);
  if (row.status === 'failed') throw new Failure(row.error!);
  return row;
}

/** The uploads that the caller has made; those of all for the owner and admins. */
export async function uploadPage(
  reader: Reader,
  filters: { status?: UploadStatus | undefined },
  window: Window,
): Promise<Page<CloudUpload>> {
  const query = UploadModel.table(reader);
  const seesAll = managesAll(askingOf(reader));
  if (!seesAll) query.where('cloud_uploads.created_by', reader.actor.user_id);
  if (filters.status !== undefined) query.where('cloud_uploads.status', filters.status);
  const page = await pageOf<UploadRow>(reader, {
    query,
    table: UploadModel.tableName,
    columns: uploadColumns,
    prefix: 'upl',
    sorts: { name: 'file_name', size_bytes: 'size_bytes' },
    window,
    is_filtered: isFiltered(filters) || !seesAll,
  });
  return { ...page, rows: page.rows.map(uploadOf) };
}
