import type { Work } from '../../kernel/work.ts';
import { contentETag } from '../files/content.ts';
import type { FileRow } from '../items/model.ts';
import { ended, type OpenedShare } from './opened.ts';
import { downloadFacts } from './record.ts';

/**
 * Counts a download at its beginning, and tells it in the audit log. Of many at once as many succeed as the share allows:
 * one statement counts and compares. Errors: `share_ended`.
 */
export async function countDownload(work: Work, { share }: OpenedShare, file: FileRow): Promise<void> {
  const { connection, organization_id, now } = work;
  const counted = await connection.query(
    `UPDATE cloud_shares
        SET download_count = download_count + 1, last_download_at = greatest(last_download_at, $3)
      WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL
        AND (max_downloads IS NULL OR download_count < max_downloads)
      RETURNING 1`,
    [organization_id, share.id, now.toISOString()],
  );
  if (counted.length === 0) throw ended();
  const { id, name, version_id, sha256, size_bytes } = file;
  const after = { id, share_id: share.id, name, version_id, sha256, size_bytes };
  work.record(downloadFacts.created, { before: null, after });
}

/** A shared file as it is handed out; `count` is called before its first byte. */
export function downloadOf({ share }: OpenedShare, file: FileRow, count: () => Promise<void>) {
  return {
    storage_key: file.storage_key,
    file_name: file.name,
    media_type: file.content_type,
    size: file.size_bytes,
    sha256: file.sha256,
    created_at: file.updated_at,
    // A download that counts is whole: parts of one would be several.
    delivery: { etag: contentETag(file.sha256), ranges: share.max_downloads === null, begin: count },
  };
}
