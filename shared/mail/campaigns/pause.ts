import type { Work } from '../../kernel/work.ts';
import { pauseJob, requeueJobs, resumeJob } from '../../platform/jobs/operations.ts';
import { changeStatus } from './change.ts';
import type { Campaign } from './record.ts';
import type { PauseReason } from './words.ts';

/** Pauses a locked campaign that is `sending`, with its job; without a reason where somebody wants it. Locks: the job. */
export async function pauseLocked(
  work: Work,
  before: Campaign,
  pause_reason: PauseReason | null,
): Promise<Campaign> {
  const after = changeStatus(work, before, { status: 'paused', pause_reason });
  const [row] = await work.connection.query<{ job_id: string | null }>(
    'SELECT job_id FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [work.organization_id, before.id],
  );
  if (row!.job_id !== null) await pauseJob(work, row!.job_id);
  return after;
}

/** The job of a campaign goes on with it, whether it was paused or given up. Answers its ID. Locks: the job. */
export async function goOnWithJob(work: Work, campaign_id: string): Promise<string | null> {
  const [row] = await work.connection.query<{ job_id: string | null }>(
    'SELECT job_id FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [work.organization_id, campaign_id],
  );
  const { job_id } = row!;
  if (job_id === null) return null;
  await requeueJobs(work, [job_id]);
  await resumeJob(work, job_id);
  return job_id;
}
