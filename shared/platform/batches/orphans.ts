import type { Continues } from '../jobs/orphans.ts';
import { collectFilesJob, runBatchJob } from './jobs.ts';

/**
 * A batch whose delivery was lost goes on with the first record that nothing was done to; files of many are put together
 * from those that were asked for.
 */
export const continueBatches: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ id: string; is_files: boolean }>(
    "SELECT id, request ? 'form' AS is_files FROM batches WHERE organization_id = $1 AND id = ANY ($2)",
    [work.organization_id, job_ids],
  );
  for (const { id: job_id, is_files } of rows) {
    work.enqueue(is_files ? collectFilesJob : runBatchJob, { job_id }, { job_id });
  }
  return rows.map(({ id }) => id);
};
