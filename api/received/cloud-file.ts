import { contentOfFile } from '../../shared/cloud/files/content.ts';
import { Failure, unknownReference } from '../../shared/kernel/failure.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { allows } from '../../shared/kernel/scope.ts';
import { takeFile } from '../../shared/platform/intake/take-file.ts';
import { readNamed } from '../../shared/platform/storage/missing.ts';
import { type ArrivedFile, arrivedFiles } from '../../shared/received/files/arrive.ts';
import { MOST_FILE_BYTES, receivedContents } from '../../shared/received/files/record.ts';
import { storedPieces } from '../http/files/inspection.ts';
import type { Before } from '../http/write-endpoint.ts';

/**
 * The file of the cloud that a new document names, copied to the store and looked into, by the rules of files that are sent;
 * none where the request names none. Errors: `insufficient_scope`, `unknown_reference` for one that the caller does not see,
 * `quarantined`, `unsupported_media_type`, `body_too_large`, `unavailable`.
 */
export async function copiedFromCloud(
  cloud_file_id: string | undefined,
  before: Before,
): Promise<ArrivedFile[]> {
  if (cloud_file_id === undefined || (await before.isRepeated())) return [];
  const { caller, context, database, signal } = before;
  const { organization_id, now } = caller;
  const { storage } = context;
  const { storage_key, file_name, media_type } = await database.withConnection(
    organization_id,
    (connection) => seenContent({ ...caller, connection }, cloud_file_id),
    signal,
  );
  const copied = await takeFile(
    context,
    { organization_id, limit: MOST_FILE_BYTES, into: 'store', accepts: receivedContents, now, signal },
    { body: await readNamed(storage, storage_key), file_name, media_type },
  );
  return arrivedFiles([copied], (file) => storedPieces(storage, file.storage_key!), signal);
}

async function seenContent(reader: Reader, id: string) {
  if (!allows(reader.actor.grants, 'cloud:read')) {
    throw new Failure('insufficient_scope', {
      detail: {
        en: 'To copy a file of the cloud needs the scope cloud:read',
        ja: 'クラウドのファイルをコピーするには、スコープ cloud:read が必要です',
      },
      members: { required_scope: 'cloud:read' },
    });
  }
  return contentOfFile(reader, id, {}).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') throw unknownReference('/cloud_file_id', id);
    throw error;
  });
}
