import type { Work } from '../../kernel/work.ts';
import { ownerOf } from '../storage/key.ts';
import { keepFile } from '../storage/loose-files.ts';
import type { UploadedFile } from '../storage/stored-file.ts';

const FILES = { tableName: 'files' };

/**
 * Keeps a file from outside if this transaction commits, with what is known of it. `releaseFile` gives it up again.
 * Errors: `unavailable` when it took so long that it was swept.
 */
export async function keepUploadedFile(
  work: Work,
  file: UploadedFile & { storage_key: string },
): Promise<void> {
  describeKeptFile(work, file);
  await keepFile(work, file.storage_key);
}

/** Adds what is known of a file from outside that a record names already. */
export function describeKeptFile(work: Work, file: UploadedFile & { storage_key: string }): void {
  const { storage_key, file_name, media_type, content_type, size, sha256, scan, finding } = file;
  const now = work.now.toISOString();
  work.insert(FILES, {
    organization_id: ownerOf(storage_key),
    storage_key,
    file_name,
    declared_type: media_type,
    content_type,
    size,
    sha256,
    scan,
    finding,
    scan_due_at: scan === 'pending' ? now : null,
    scanned_at: scan === 'clean' || scan === 'quarantined' ? now : null,
    created_at: now,
  });
}
