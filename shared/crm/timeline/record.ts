import { z } from 'zod';
import { type TimelineSource, timelineItemFields } from '../../platform/timeline.ts';
import { Activity } from '../activities/record.ts';

const Change = z.strictObject({
  entity_type: z.string().meta({ examples: ['deal'] }),
  entity_id: z.string().meta({ examples: ['deal_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update', 'delete']),
  changes: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .describe('By field, what it was and what it is.')
    .meta({ examples: [{ stage_slug: ['lead', 'proposal'] }] }),
});

const ownItems = [
  z.strictObject({ type: z.literal('activity'), ...timelineItemFields, data: Activity }),
  z.strictObject({ type: z.literal('stage_change'), ...timelineItemFields, data: Change }),
  z.strictObject({ type: z.literal('field_change'), ...timelineItemFields, data: Change }),
] as const;

/** The schema of an event in the timeline of a company, contact or deal, with the kinds of item that `sources` add. */
export function timelineItem(sources: readonly TimelineSource[]) {
  return z
    .discriminatedUnion('type', [...ownItems, ...sources.map(({ item }) => item)])
    .meta({ id: 'TimelineItem' });
}
