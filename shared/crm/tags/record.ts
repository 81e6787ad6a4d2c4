import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, text, timestamp } from '../../kernel/schema.ts';

/** A tag as the record that carries it shows it. */
export const TagLabel = z
  .strictObject({
    id: id('tag'),
    name: z.string().meta({ examples: ['重要'] }),
    color: z.string().meta({ examples: ['#6B7280'] }),
  })
  .meta({ id: 'TagLabel' });

export type TagLabel = z.output<typeof TagLabel>;

export const DEFAULT_COLOR = '#6B7280';

/** `#RRGGBB`. */
export function color() {
  return z
    .string()
    .regex(
      /^#[0-9A-Fa-f]{6}$/,
      says({ en: 'must be a colour of the form #RRGGBB', ja: 'は #RRGGBB 形式の色で入力してください' }),
    )
    .meta({ examples: [DEFAULT_COLOR] });
}

const fields = { name: text(50).meta({ examples: ['重要'] }), color: color() };

/** A tag, as the API shows one. */
export const Tag = z
  .strictObject({
    id: id('tag'),
    object: z.literal('crm.tag'),
    ...fields,
    ...ownKeys,
    usage_count: z.int().describe('How many records carry it.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Tag' });

export type Tag = z.output<typeof Tag>;

/** What a new tag is made from; its name is unique without regard to case and width. */
export const TagInput = z
  .strictObject({
    name: fields.name,
    color: fields.color.default(DEFAULT_COLOR),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'TagInput' });

export type TagInput = z.output<typeof TagInput>;

/** What a change of a tag may hold. */
export const TagPatch = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial()
  .meta({ id: 'TagPatch' });

export type TagPatch = z.output<typeof TagPatch>;

export class TagModel extends TenantModel {
  static override tableName = 'crm_tags';
  static override jsonAttributes = ['metadata'];
}

/** What tags are looked up by. */
export const tagKind = recordKind({ table: TagModel.tableName, prefix: 'tag' });

export const tagFacts = factsOf({ domain: 'crm', entity_type: 'tag', computed: ['usage_count'] });

uniqueKey('crm_tags_name_once', {
  table: TagModel.tableName,
  read_by: 'crm:read',
  columns: ['name_key'],
  path: '/name',
  message: { en: 'Another tag has this name', ja: 'この名前はほかのタグが使っています' },
});
uniqueKey('crm_tags_external_id_once', {
  table: TagModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another tag has this external_id', ja: 'この external_id はほかのタグが使っています' },
});
