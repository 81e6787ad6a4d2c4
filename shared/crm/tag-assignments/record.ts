import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { freeText, id, timestamp } from '../../kernel/schema.ts';

/** The kinds of record that carry tags. */
export const taggedTypes = ['deal', 'company', 'contact'] as const;

export type TaggedType = (typeof taggedTypes)[number];

const record = {
  resource_type: z.enum(taggedTypes),
  resource_id: freeText(100).meta({ examples: ['comp_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
};

/** A tag on a record, as the API shows it. */
export const TagAssignment = z
  .strictObject({
    id: id('taga'),
    object: z.literal('crm.tag_assignment'),
    tag_id: id('tag'),
    ...record,
    tag_name: z.string().meta({ examples: ['重要'] }),
    tag_color: z.string().meta({ examples: ['#6B7280'] }),
    created_at: timestamp(),
    updated_at: timestamp().describe('Always that of its making.'),
  })
  .meta({ id: 'TagAssignment' });

export type TagAssignment = z.output<typeof TagAssignment>;

/** Which tag goes on which record. */
export const TagAssignmentInput = z
  .strictObject({ tag_id: id('tag'), ...record })
  .meta({ id: 'TagAssignmentInput' });

export type TagAssignmentInput = z.output<typeof TagAssignmentInput>;

/** The record that a tag is taken from. */
export const TaggedRecord = z.strictObject(record);

export type TaggedRecord = z.output<typeof TaggedRecord>;

export const tagAssignmentFacts = factsOf({
  domain: 'crm',
  entity_type: 'tag_assignment',
  computed: ['tag_name', 'tag_color'],
});
