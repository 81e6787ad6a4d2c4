import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { seenFile } from '../files/queries.ts';
import { holderOfName, nameTakenBy } from '../items/taken.ts';
import { requirePermission, seenPlace } from '../tree/place.ts';
import { reserveUntilEnded } from '../usage/reservations.ts';
import { type UploadMetadata, unknownInMetadata } from './metadata.ts';
import { UploadModel, type UploadRow, uploadFacts, uploadOf } from './record.ts';
import { LIFETIME, type Writer } from './turns.ts';

/** Uploads with bytes that one person may have at a time. */
export const MOST_UPLOADS = 100;

export type NewUpload = UploadMetadata & {
  storage_key: string;
  size_bytes: number;
  upload_metadata: string | null;
};

/**
 * Makes an upload, whose row names the key that its bytes come to, with its room taken until it ends. A request that brings
 * bytes has the first turn. Errors: `unknown_reference`, `folder_permission`, `already_exists`, `quota_exceeded`,
 * `limit_reached`.
 */
export async function createUpload(
  work: Work,
  upload: NewUpload,
  signed: Writer | null,
  installation_bytes: number,
): Promise<UploadRow> {
  const { storage_key, size_bytes, upload_metadata, folder_id, file_id, sha256, declared_type } = upload;
  const file_name = file_id === null ? await nameInFolder(work, upload) : await nameOfFile(work, upload);
  const id = newId('upl', work.now);
  // Takes the lock of the quota's row, behind which uploads are counted one after the other.
  await reserveUntilEnded(work, { id, bytes: size_bytes }, installation_bytes);
  await requireFewUploads(work);
  const at = work.now.toISOString();
  const row: UploadRow = {
    id,
    storage_key,
    file_name,
    folder_id,
    file_id,
    on_conflict: upload.on_conflict === 'version' ? 'version' : 'rename',
    declared_type,
    announced_sha256: sha256,
    upload_metadata,
    size_bytes,
    received_bytes: 0,
    status: 'receiving',
    error: null,
    sha256: null,
    content_type: null,
    scan: null,
    result_file_id: null,
    writer: signed?.writer ?? null,
    writer_process: signed?.process ?? null,
    created_by: work.actor.user_id!,
    actor_type: work.actor.type === 'api_key' ? 'api_key' : 'user',
    actor_id: work.actor.id,
    expires_at: new Date(work.now.getTime() + LIFETIME).toISOString(),
    created_at: at,
    updated_at: at,
  };
  work.insert(UploadModel, row);
  work.record(uploadFacts.created, { before: null, after: uploadOf(row) });
  return row;
}

/** Errors: `unknown_reference`, `folder_permission`; `already_exists` for a name that is taken, where that is refused. */
async function nameInFolder(work: Work, { file_name, folder_id, on_conflict }: NewUpload): Promise<string> {
  const place = await seenPlace(work, folder_id);
  if (!place) throw unknownInMetadata('folder_id');
  requirePermission(place.permission, 'editor');
  const taken = on_conflict === 'fail' ? await holderOfName(work, folder_id, file_name!) : null;
  if (taken) throw await nameTakenBy(work, taken);
  return file_name!;
}

/** Errors: `unknown_reference`, `folder_permission`. */
async function nameOfFile(work: Work, { file_name, file_id }: NewUpload): Promise<string> {
  const { row } = await seenFile(work, file_id!, 'editor').catch((error) => {
    throw error instanceof Failure && error.code === 'not_found' ? unknownInMetadata('file_id') : error;
  });
  return file_name ?? row.name;
}

/** Errors: `limit_reached`. */
async function requireFewUploads({ connection, organization_id, actor }: Work): Promise<void> {
  const [found] = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM cloud_uploads
      WHERE organization_id = $1 AND created_by = $2 AND storage_key IS NOT NULL`,
    [organization_id, actor.user_id],
  );
  if (found!.count < MOST_UPLOADS) return;
  throw new Failure('limit_reached', {
    detail: {
      en: `A person may have ${MOST_UPLOADS} uploads that are not completed; end some of them`,
      ja: `完了していないアップロードは1人${MOST_UPLOADS}件までです。不要なものを終了してください`,
    },
  });
}
