import type { Continues } from '../jobs/orphans.ts';
import { runBatchJob } from './jobs.ts';

/** A batch whose delivery was lost goes on with the first record that nothing was done to. */
export const continueBatches: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ id: string }>(
    'SELECT id FROM batches WHERE organization_id = $1 AND id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { id: job_id } of rows) work.enqueue(runBatchJob, { job_id }, { job_id });
  return rows.map(({ id }) => id);
};
