import { z } from 'zod';
import { documentKinds } from '../../invoicing/documents/kinds.ts';
import { timestamp } from '../../kernel/schema.ts';
import { Activity } from '../activities/record.ts';

const common = {
  id: z
    .string()
    .describe('The ID of the activity or of the audit entry; what starting_after takes.')
    .meta({ examples: ['aud_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  occurred_at: timestamp(),
  actor: z.strictObject({
    type: z.enum(['user', 'api_key', 'guest', 'system']),
    id: z
      .string()
      .nullable()
      .meta({ examples: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  }),
};

const Change = z.strictObject({
  entity_type: z.string().meta({ examples: ['deal'] }),
  entity_id: z.string().meta({ examples: ['deal_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update', 'delete']),
  changes: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .describe('By field, what it was and what it is.')
    .meta({ examples: [{ stage_slug: ['lead', 'proposal'] }] }),
});

const DocumentChange = z.strictObject({
  entity_type: z.enum(documentKinds),
  entity_id: z.string().meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update']),
  number: z
    .string()
    .nullable()
    .describe('As it is now, as are subject and total.')
    .meta({ examples: ['INV-2026-0001'] }),
  subject: z
    .string()
    .nullable()
    .meta({ examples: ['4月分コーヒー豆'] }),
  total: z.int().meta({ examples: [11_000] }),
  status: z
    .string()
    .describe('What it became.')
    .meta({ examples: ['approved'] }),
  status_before: z
    .string()
    .nullable()
    .describe('What it was; null when it was made.')
    .meta({ examples: ['draft'] }),
});

/** Something that happened to a company, contact or deal. */
export const TimelineItem = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('activity'), ...common, data: Activity }),
    z.strictObject({ type: z.literal('stage_change'), ...common, data: Change }),
    z.strictObject({ type: z.literal('field_change'), ...common, data: Change }),
    z.strictObject({ type: z.literal('document'), ...common, data: DocumentChange }),
  ])
  .meta({ id: 'TimelineItem' });

export type TimelineItem = z.output<typeof TimelineItem>;
