import type { Work } from '../../kernel/work.ts';
import type { OrphanedWork } from '../../platform/domain.ts';
import { freezeCampaignJob } from './jobs.ts';

type Sending = { campaign_id: string; job_id: string };

/**
 * The job of a campaign goes on while its mails leave, and has no delivery of its own then: the rows say what is left to do. One whose
 * recipients are not settled is asked for again.
 */
export const campaignOrphans: OrphanedWork = {
  waits: async (work, job_ids) => (await jobsOf(work, job_ids, 'IS NOT NULL')).map(({ job_id }) => job_id),
  continues: [
    async (work, job_ids) => {
      const lost = await jobsOf(work, job_ids, 'IS NULL');
      for (const each of lost) work.enqueue(freezeCampaignJob, each, { job_id: each.job_id });
      return lost.map(({ job_id }) => job_id);
    },
  ],
};

function jobsOf(
  { connection, organization_id }: Work,
  job_ids: readonly string[],
  frozen: 'IS NULL' | 'IS NOT NULL',
): Promise<Sending[]> {
  return connection.query<Sending>(
    `SELECT id AS campaign_id, job_id FROM mail_campaigns
      WHERE organization_id = $1 AND job_id = ANY ($2) AND status IN ('sending', 'paused') AND frozen_at ${frozen}`,
    [organization_id, job_ids],
  );
}
