import { freezeSlice, freezeSliceAt } from '../../shared/mail/campaigns/freeze.ts';
import { analyzeRecipients } from '../../shared/mail/campaigns/statistics.ts';
import { progressJob, startJob } from '../../shared/platform/jobs/operations.ts';
import type { Delivery } from '../kernel/handler.ts';

/**
 * Settles the recipients of a campaign that begins, a slice a transaction: another try goes on after the last one, in smaller slices.
 * The job goes on with the sending, whose slices find the campaign by its rows.
 */
export async function freezeCampaign(
  { campaign_id, job_id }: { campaign_id: string; job_id: string },
  delivery: Delivery,
): Promise<void> {
  let recipients = 0;
  for (let isDone = false; !isDone; ) {
    delivery.draining.throwIfAborted();
    await delivery.part(async (work) => {
      const frozen = await freezeSlice(work, campaign_id, freezeSliceAt(delivery.attempt));
      isDone = frozen?.is_done ?? true;
      recipients = frozen?.recipients ?? 0;
      if (frozen && (await startJob(work, job_id))) {
        await work.flush();
        await progressJob(work, job_id, { done: 0, total: frozen.queued });
      }
    });
  }
  const { database, organization_id } = delivery;
  await database.withConnection(organization_id, (connection) =>
    analyzeRecipients(connection, { organization_id, campaign_id, recipients }),
  );
}
