import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { requireCampaign } from '../../shared/mail/campaigns/queries.ts';
import { CampaignMoment, campaignTimeline, timelineIntervals } from '../../shared/mail/campaigns/timeline.ts';
import { read } from '../http/endpoint.ts';

export const campaignMoments = read({
  id: 'mail.campaigns.timeline',
  method: 'get',
  path: '/api/v1/mail/campaigns/:id/timeline',
  scope: 'mail:read',
  summary: 'Read what happened to a campaign over time',
  description:
    'By hours unless said, or by days in Japan. Hours and days without anything are left out; robots do not count. ' +
    `At most the first ${timelineIntervals.hour.toLocaleString('en')} hours or ${timelineIntervals.day.toLocaleString('en')} days.`,
  params: byId('camp'),
  query: z.strictObject({ interval: z.enum(['hour', 'day']).optional() }),
  reply: z.strictObject({ items: z.array(CampaignMoment) }),
  async handle({ params, query: { interval = 'hour' } }, reader) {
    await requireCampaign(reader, params.id);
    return { items: await campaignTimeline(reader, params.id, interval) };
  },
});
