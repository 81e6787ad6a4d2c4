import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { verifyFilesJob } from '../jobs.ts';
import { managesAll } from '../permissions.ts';
import { askingOf } from '../tree/asking.ts';

/** Has a worker read all versions again. Errors: `folder_permission` for who is neither owner nor admin. */
export function verifyFiles(work: Work): JobResource {
  if (!managesAll(askingOf(work))) {
    throw new Failure('folder_permission', {
      detail: {
        en: 'An owner or admin has the files verified',
        ja: 'ファイルの検証はオーナーか管理者だけが実行できます',
      },
    });
  }
  const job = createJob(work, { kind: 'cloud.files.verify', scope: '*', unit: 'versions' });
  work.enqueue(verifyFilesJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/** A content that versions have, with what it must be. */
export type KeptContent = {
  id: string;
  file_id: string;
  storage_key: string;
  size_bytes: number;
  sha256: string;
};

/** The next versions behind one, in the order of their IDs. */
export function versionsAfter(
  { connection, organization_id }: Reader,
  after: string,
  limit: number,
): Promise<KeptContent[]> {
  return connection.query<KeptContent>(
    `SELECT id, file_id, storage_key, size_bytes, sha256 FROM cloud_versions
      WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [organization_id, after, limit],
  );
}

/** Whether a version is there by now. */
export async function hasVersion({ connection, organization_id }: Reader, id: string): Promise<boolean> {
  const found = await connection.query('SELECT FROM cloud_versions WHERE organization_id = $1 AND id = $2', [
    organization_id,
    id,
  ]);
  return found.length > 0;
}

export async function versionCount({ connection, organization_id }: Reader): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    'SELECT count(*) AS count FROM cloud_versions WHERE organization_id = $1',
    [organization_id],
  );
  return row!.count;
}
