import type { Work } from '../../kernel/work.ts';
import { pauseJob } from '../../platform/jobs/operations.ts';
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
