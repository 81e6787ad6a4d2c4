import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { changeStatus } from './change.ts';
import { requireChecks } from './checks.ts';
import type { MailServer } from './faults.ts';
import { freezeCampaignJob } from './jobs.ts';
import { campaignForUpdate } from './queries.ts';
import type { Campaign } from './record.ts';
import type { KeptSender } from './sender.ts';
import { requireAction } from './transitions.ts';

export type Started = { campaign: Campaign; job: JobResource };

/**
 * Has a campaign begin now: who sends it is settled, and a worker settles its recipients. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`, `insufficient_scope`, `checks_failed`, `mail_server_required`.
 */
export async function sendCampaign(work: Work, id: string, server: MailServer): Promise<Started> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'send', work.actor);
  return start(work, before, server, { scheduled_at: null });
}

/**
 * Starts a scheduled campaign whose time has come; one whose checks fail by now is a draft again, and says so. One that was sent,
 * put off or taken back meanwhile stays.
 */
export async function startDueCampaign(work: Work, id: string, server: MailServer): Promise<void> {
  const [found] = await work.connection.query(
    'SELECT FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [work.organization_id, id],
  );
  if (!found) return;
  const before = await campaignForUpdate(work, id);
  const { status, scheduled_at } = before;
  if (status !== 'scheduled' || scheduled_at === null || scheduled_at > work.now.toISOString()) return;
  try {
    await start(work, before, server, {});
  } catch (error) {
    const isRefused = error instanceof Failure && REFUSALS.includes(error.code);
    if (!isRefused) throw error;
    changeStatus(work, before, { status: 'draft', pause_reason: 'checks_failed', scheduled_at: null });
  }
}

const REFUSALS: readonly string[] = ['checks_failed', 'mail_server_required'];

async function start(
  work: Work,
  before: Campaign,
  server: MailServer,
  changes: Partial<Pick<Campaign, 'scheduled_at'>>,
): Promise<Started> {
  const { sender, counts } = await requireChecks(work, before, server);
  const job = createJob(work, {
    kind: 'mail.campaigns.send',
    scope: 'mail:write',
    unit: 'messages',
    total: counts.eligible,
  });
  const { from_name, from_email, reply_to, mail_order, ...rest } = sender;
  const kept: KeptSender = rest;
  const campaign = changeStatus(
    work,
    before,
    {
      ...changes,
      status: 'sending',
      pause_reason: null,
      started_at: work.now.toISOString(),
      from_name,
      from_email,
      reply_to,
      mail_order,
    },
    { sender: kept, job_id: job.id },
  );
  work.enqueue(freezeCampaignJob, { campaign_id: before.id, job_id: job.id }, { job_id: job.id });
  return { campaign, job };
}
