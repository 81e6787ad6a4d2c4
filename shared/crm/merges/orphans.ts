import type { Continues } from '../../platform/jobs/orphans.ts';
import { mergeJob } from './jobs.ts';

/** A merge whose delivery was lost begins anew: one that had committed has ended its job with it. */
export const continueMerges: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ id: string }>(
    'SELECT id FROM crm_merges WHERE organization_id = $1 AND id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { id: job_id } of rows) work.enqueue(mergeJob, { job_id }, { job_id });
  return rows.map(({ id }) => id);
};
