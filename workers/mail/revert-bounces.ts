import { revertSlice } from '../../shared/mail/bounces/revert.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { Delivery } from '../kernel/handler.ts';

/** Takes the bounces of a campaign back, a slice a transaction: another try goes on with those that are left. */
export async function revertBounces(
  { campaign_id, job_id }: { campaign_id: string; job_id: string },
  delivery: Delivery,
): Promise<void> {
  let isOpen = false;
  await delivery.part(async (work) => {
    isOpen = await startJob(work, job_id);
  });
  if (!isOpen) return;
  let reverted = 0;
  for (let after: number | null = 0; after !== null; ) {
    delivery.draining.throwIfAborted();
    const from: number = after;
    await delivery.part(async (work) => {
      const slice = await revertSlice(work, { campaign_id, after: from });
      after = slice?.last ?? null;
      reverted += slice?.count ?? 0;
    });
  }
  await delivery.settle(async (work) => {
    await succeedJob(work, job_id, { reverted });
  });
}
