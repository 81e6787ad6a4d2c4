import { z } from 'zod';
import { byId, id } from '../../shared/kernel/schema.ts';
import { askForRevert } from '../../shared/mail/bounces/revert.ts';
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  updateCampaign,
} from '../../shared/mail/campaigns/operations.ts';
import { campaignById, campaignPage, shownCampaign } from '../../shared/mail/campaigns/queries.ts';
import { Campaign, CampaignInput, CampaignPatch, campaignKind } from '../../shared/mail/campaigns/record.ts';
import { refusalsOf } from '../../shared/mail/campaigns/transitions.ts';
import { campaignStatuses } from '../../shared/mail/campaigns/words.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { CONTENTS_LIMITS } from './contents.ts';

const PATH = '/api/v1/mail/campaigns';

const campaign = resource({
  id: 'mail.campaigns',
  path: PATH,
  domain: 'mail',
  one: 'a campaign',
  prefix: 'camp',
});

const CampaignReply = z.strictObject({ campaign: Campaign });

export const campaigns = [
  list({
    ...campaign.list,
    summary: 'List campaigns',
    description: 'Without their bodies. `search` looks in names and subjects.',
    item: Campaign,
    looked_up: campaignKind,
    limit: { default: 50, most: 200 },
    filters: z.object({
      status: manyOf(z.enum(campaignStatuses)).optional(),
      list_id: id('mlist').describe('Only campaigns to this list.').optional(),
      search: z
        .string()
        .max(200)
        .describe('A part of the name or the subject.')
        .meta({ examples: ['春'] })
        .optional(),
    }),
    handle: ({ filters, window, mail_limits }, reader) => campaignPage(reader, filters, window, mail_limits),
  }),
  read({
    ...campaign.get,
    description: 'With its bodies.',
    reply: CampaignReply,
    handle: async ({ params, mail_limits }, reader) => ({
      campaign: await shownCampaign(reader, await campaignById(reader, params.id), mail_limits),
    }),
  }),
  write({
    ...campaign.create,
    description:
      'A draft. `template_id` fills subject, preheader and bodies where the request leaves them out.',
    body: CampaignInput,
    body_limits: CONTENTS_LIMITS,
    reply: CampaignReply,
    raises: ['already_exists', 'unknown_reference'],
    handle: async ({ body, base_url, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await createCampaign(work, body, base_url), mail_limits),
    }),
  }),
  write({
    ...campaign.update,
    description: `${FIELDS_SENT} Those of \`throttle\` are merged by key. Of a campaign that has begun \`name\`, \`throttle\`, \`external_id\` and \`metadata\` change alone: 409 \`frozen\`. One that is scheduled must still pass the checks, and all else of it needs \`approvals:write\` too: unschedule it first without.`,
    body: CampaignPatch,
    body_limits: CONTENTS_LIMITS,
    reply: CampaignReply,
    raises: [
      'already_exists',
      'unknown_reference',
      'campaign_frozen',
      'checks_failed',
      'mail_server_required',
      ...refusalsOf('update'),
    ],
    handle: async ({ params, body, base_url, has_mail_server, mail_limits }, work) => ({
      campaign: await shownCampaign(
        work,
        await updateCampaign(work, params.id, body, { base_url, has_mail_server }),
        mail_limits,
      ),
    }),
  }),
  write({
    ...campaign.delete,
    description: 'A draft, or a campaign that was cancelled before it began.',
    raises: refusalsOf('delete'),
    handle: deleting(deleteCampaign),
  }),
  write({
    id: 'mail.campaigns.duplicate',
    method: 'post',
    path: `${PATH}/:id/duplicate`,
    scope: 'mail:write',
    status: 201,
    summary: 'Duplicate a campaign',
    description: 'Makes a draft with its contents and audience. Own keys, times and recipients stay behind.',
    params: byId('camp'),
    reply: CampaignReply,
    handle: async ({ params, base_url, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await duplicateCampaign(work, params.id, base_url), mail_limits),
    }),
  }),
  write({
    id: 'mail.campaigns.revert_bounces',
    method: 'post',
    path: `${PATH}/:id/bounces/revert`,
    scope: 'mail:write',
    status: 202,
    summary: 'Take the bounces of a campaign back',
    description:
      'For reports that were wrong. Its recipients lose their bounces, contacts that these made `bounced` and that are unchanged since are active again, and their suppressions go. The result of the job says how many: `reverted`.',
    params: byId('camp'),
    reply: z.strictObject({ job: JobResource }),
    handle: async ({ params }, work) => ({ job: await askForRevert(work, params.id) }),
  }),
];
