import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { CampaignChecks, checksOf } from '../../shared/mail/campaigns/checks.ts';
import { campaignById, shownCampaign } from '../../shared/mail/campaigns/queries.ts';
import { Campaign } from '../../shared/mail/campaigns/record.ts';
import { ScheduleInput, scheduleCampaign, unscheduleCampaign } from '../../shared/mail/campaigns/schedule.ts';
import { sendCampaign } from '../../shared/mail/campaigns/start.ts';
import { refusalsOf } from '../../shared/mail/campaigns/transitions.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/mail/campaigns/:id';

const Reply = z.strictObject({ campaign: Campaign });

/** What brings campaigns from the draft to their start. */
export const campaignLife = [
  read({
    id: 'mail.campaigns.checks',
    method: 'get',
    path: `${PATH}/checks`,
    scope: 'mail:read',
    summary: 'Check a campaign',
    description:
      'What would keep it from being sent now, what is odd about it, and who would get it. A segment with fields that begin with `crm.` needs `crm:read` too.',
    params: byId('camp'),
    reply: z.strictObject({ checks: CampaignChecks }),
    handle: async ({ params, has_mail_server, base_url }, reader) => ({
      checks: await checksOf(reader, await campaignById(reader, params.id), { has_mail_server, base_url }),
    }),
  }),
  write({
    id: 'mail.campaigns.schedule',
    method: 'post',
    path: `${PATH}/schedule`,
    scope: 'mail:write',
    summary: 'Schedule a campaign',
    description:
      'It begins within a minute of `scheduled_at`. The checks run now, and again then: if one fails by then, it is a draft again with `pause_reason` `checks_failed`. Until it has begun, its lists and its segment cannot be removed. Needs `approvals:write` too.',
    params: byId('camp'),
    body: ScheduleInput,
    reply: Reply,
    raises: [...refusalsOf('schedule'), 'checks_failed', 'mail_server_required'],
    handle: async ({ params, body, has_mail_server, mail_limits }, work) => ({
      campaign: await shownCampaign(
        work,
        await scheduleCampaign(work, params.id, body, { has_mail_server }),
        mail_limits,
      ),
    }),
  }),
  write({
    id: 'mail.campaigns.unschedule',
    method: 'post',
    path: `${PATH}/unschedule`,
    scope: 'mail:write',
    summary: 'Make a scheduled campaign a draft again',
    description: 'Its time is forgotten: it stays until it is scheduled or sent.',
    params: byId('camp'),
    reply: Reply,
    raises: refusalsOf('unschedule'),
    handle: async ({ params, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await unscheduleCampaign(work, params.id), mail_limits),
    }),
  }),
  write({
    id: 'mail.campaigns.send',
    method: 'post',
    path: `${PATH}/send`,
    scope: 'mail:write',
    status: 202,
    summary: 'Send a campaign',
    description:
      'The checks run, then the recipients are settled: who joins a list later does not get it. What recipients see is frozen. The job counts mails. Needs `approvals:write` too.',
    params: byId('camp'),
    reply: z.strictObject({ campaign: Campaign, job: JobResource }),
    raises: [...refusalsOf('send'), 'checks_failed', 'mail_server_required'],
    handle: async ({ params, has_mail_server, mail_limits }, work) => {
      const { campaign, job } = await sendCampaign(work, params.id, { has_mail_server });
      return { campaign: await shownCampaign(work, campaign, mail_limits), job };
    },
  }),
];
