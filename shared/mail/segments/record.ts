import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { segmentFilter } from './filter.ts';

const fields = {
  name: name(200)
    .describe('Unique in the organization without regard to case and width.')
    .meta({ examples: ['東京の取引先'] }),
  filter: segmentFilter(),
};

/** Contacts by what is known of them, asked anew at each use. */
export const Segment = z
  .strictObject({
    id: id('mseg'),
    object: z.literal('mail.segment'),
    ...fields,
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailSegment' });

export type Segment = z.output<typeof Segment>;

/** What a new segment is made from. */
export const SegmentInput = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial()
  .required({ name: true, filter: true })
  .meta({ id: 'MailSegmentInput' });

export type SegmentInput = z.output<typeof SegmentInput>;

/** What a change of a segment may hold. */
export const SegmentPatch = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial()
  .meta({ id: 'MailSegmentPatch' });

export type SegmentPatch = z.output<typeof SegmentPatch>;

export class SegmentModel extends TenantModel {
  static override tableName = 'mail_segments';
  static override jsonAttributes = ['metadata', 'filter'];
}

/** What segments are looked up by. */
export const segmentKind = recordKind({ table: SegmentModel.tableName, prefix: 'mseg' });

/** A filter may hold addresses and names: the change history tells that it changed. */
export const segmentFacts = factsOf({
  domain: 'mail',
  entity_type: 'segment',
  masked: ['filter', 'external_id', 'metadata'],
});

uniqueKey('mail_segments_name_once', {
  table: SegmentModel.tableName,
  read_by: 'mail:read',
  columns: ['name_key'],
  path: '/name',
  message: { en: 'Another segment has this name', ja: 'この名前はほかのセグメントが使っています' },
});
uniqueKey('mail_segments_external_id_once', {
  table: SegmentModel.tableName,
  read_by: 'mail:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another segment has this external_id',
    ja: 'この external_id はほかのセグメントが使っています',
  },
});
