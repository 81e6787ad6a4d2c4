import type { Continues } from '../../platform/jobs/orphans.ts';
import { copyRecordJob } from '../jobs.ts';

/** A copy whose delivery was lost begins anew: one that had committed has ended its job with it. */
export const continueCopies: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ id: string }>(
    'SELECT id FROM cloud_copies WHERE organization_id = $1 AND id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { id: job_id } of rows) work.enqueue(copyRecordJob, { job_id }, { job_id, priority: 'high' });
  return rows.map(({ id }) => id);
};
