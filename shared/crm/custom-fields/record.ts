import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, keyText, text, timestamp } from '../../kernel/schema.ts';
import { customFieldKinds } from './queries.ts';
import { customFieldTypes } from './values.ts';

const options = z
  .array(text(100))
  .max(200)
  .refine((all) => new Set(all).size === all.length, {
    params: { code: 'duplicate' },
    error: says({ en: 'must name each option once', ja: 'には同じ選択肢を重複して指定できません' }),
  })
  .meta({ examples: [['A', 'B']] });

const fields = {
  kind: z.enum(customFieldKinds),
  key: keyText(/^[a-z][a-z0-9_]{0,49}$/, {
    en: 'must begin with a letter from a to z, then letters, digits and _, 50 at most',
    ja: 'は英小文字から始め、英小文字、数字、_ の50文字以内で指定してください',
  }).meta({ examples: ['rank'] }),
  label: text(100).meta({ examples: ['ランク'] }),
  type: z.enum(customFieldTypes),
  options: options.describe(
    'What can be chosen, for the types select and multi_select; empty for all others.',
  ),
};

/** The definition of a field that an organization gave a kind of record. */
export const CustomField = z
  .strictObject({
    id: id('cfld'),
    object: z.literal('crm.custom_field'),
    ...fields,
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CustomField' });

export type CustomField = z.output<typeof CustomField>;

/** What a new definition is made from; the label is the key unless said. */
export const CustomFieldInput = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial({ label: true, options: true, external_id: true, metadata: true })
  .meta({ id: 'CustomFieldInput' });

export type CustomFieldInput = z.output<typeof CustomFieldInput>;

/** What a change of a definition may hold: values that exist stay what they are, so kind, key and type are fixed. */
export const CustomFieldPatch = z
  .strictObject({ label: fields.label, options: fields.options, ...ownKeysInput })
  .partial()
  .meta({ id: 'CustomFieldPatch' });

export type CustomFieldPatch = z.output<typeof CustomFieldPatch>;

export class CustomFieldModel extends TenantModel {
  declare kind: CustomField['kind'];
  declare key: string;
  declare label: string;
  declare type: CustomField['type'];
  declare options: string[];
  declare external_id: string | null;
  declare metadata: CustomField['metadata'];
  declare created_at: string;
  declare updated_at: string;

  static override tableName = 'crm_custom_fields';
  static override jsonAttributes = ['metadata'];
}

/** What definitions are looked up by. */
export const customFieldKind = recordKind({ table: CustomFieldModel.tableName, prefix: 'cfld' });

export const customFieldFacts = factsOf({ domain: 'crm', entity_type: 'custom_field' });

uniqueKey('crm_custom_fields_key_once', {
  table: CustomFieldModel.tableName,
  read_by: 'crm:read',
  columns: ['kind', 'key'],
  path: '/key',
  message: {
    en: 'Another custom field of this kind has this key',
    ja: 'この key は同じ種類のほかのカスタム項目が使っています',
  },
});
uniqueKey('crm_custom_fields_external_id_once', {
  table: CustomFieldModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another custom field has this external_id',
    ja: 'この external_id はほかのカスタム項目が使っています',
  },
});
