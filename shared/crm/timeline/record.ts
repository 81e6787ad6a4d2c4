import { z } from 'zod';
import { timestamp } from '../../kernel/schema.ts';
import { Activity } from '../activities/record.ts';

const common = {
  id: z.string().describe('The ID of the activity or of the audit entry; what starting_after takes.'),
  occurred_at: timestamp(),
  actor: z.strictObject({ type: z.enum(['user', 'api_key', 'guest', 'system']), id: z.string().nullable() }),
};

const Change = z.strictObject({
  entity_type: z.string().meta({ examples: ['deal'] }),
  entity_id: z.string(),
  action: z.enum(['create', 'update', 'delete']),
  changes: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .describe('By field, what it was and what it is.')
    .meta({ examples: [{ stage_slug: ['lead', 'proposal'] }] }),
});

/** Something that happened to a company, contact or deal. */
export const TimelineItem = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('activity'), ...common, data: Activity }),
    z.strictObject({ type: z.literal('stage_change'), ...common, data: Change }),
    z.strictObject({ type: z.literal('field_change'), ...common, data: Change }),
  ])
  .meta({ id: 'TimelineItem' });

export type TimelineItem = z.output<typeof TimelineItem>;
