import type { Continues } from '../jobs/orphans.ts';
import { exportJob } from './jobs.ts';

/** Exports begin anew, as at another try; their file is kept once. */
export const continueExports: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ id: string }>(
    'SELECT id FROM exports WHERE organization_id = $1 AND id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { id: job_id } of rows) work.enqueue(exportJob, { job_id }, { job_id });
  return rows.map(({ id }) => id);
};
