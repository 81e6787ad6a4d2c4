import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { shownCampaign } from '../../shared/mail/campaigns/queries.ts';
import { Campaign } from '../../shared/mail/campaigns/record.ts';
import { refusalsOf } from '../../shared/mail/campaigns/transitions.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../shared/mail/sending/operations.ts';
import { write } from '../http/endpoint.ts';

const PATH = '/api/v1/mail/campaigns/:id';

const Reply = z.strictObject({ campaign: Campaign });

/** What stops campaigns that are under way, and has them go on. */
export const campaignSending = [
  write({
    id: 'mail.campaigns.pause',
    method: 'post',
    path: `${PATH}/pause`,
    scope: 'mail:write',
    summary: 'Pause a campaign',
    description:
      'Two seconds later no mail begins any more. Those that the server has in hand end, and are recorded. Its job is `paused`.',
    params: byId('camp'),
    reply: Reply,
    raises: refusalsOf('pause'),
    handle: async ({ params, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await pauseCampaign(work, params.id), mail_limits),
    }),
  }),
  write({
    id: 'mail.campaigns.resume',
    method: 'post',
    path: `${PATH}/resume`,
    scope: 'mail:write',
    summary: 'Resume a campaign',
    description:
      'Goes on with those who are queued. What paused it by itself holds no more for it: the rate of bounces or complaints, or an answer about the sender, which counts as a refusal of the recipient from now on.',
    params: byId('camp'),
    reply: Reply,
    raises: refusalsOf('resume'),
    handle: async ({ params, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await resumeCampaign(work, params.id), mail_limits),
    }),
  }),
  write({
    id: 'mail.campaigns.cancel',
    method: 'post',
    path: `${PATH}/cancel`,
    scope: 'mail:write',
    summary: 'Cancel a campaign',
    description:
      'For good. As a pause; those who are still queued are skipped soon, with the reason `cancelled`. Its job is `cancelled`.',
    params: byId('camp'),
    reply: Reply,
    raises: refusalsOf('cancel'),
    handle: async ({ params, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await cancelCampaign(work, params.id), mail_limits),
    }),
  }),
];
