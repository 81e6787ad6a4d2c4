import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { email, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { CustomFieldChanges, CustomFieldValues } from '../custom-fields/values.ts';
import { TagLabel } from '../tags/record.ts';

const name = () => text(100);

const fields = {
  first_name: name().meta({ examples: ['花子'] }),
  last_name: name().meta({ examples: ['山田'] }),
  first_name_kana: name()
    .nullable()
    .meta({ examples: ['ハナコ'] }),
  last_name_kana: name()
    .nullable()
    .meta({ examples: ['ヤマダ'] }),
  email: email().nullable(),
  phone: text(50)
    .nullable()
    .meta({ examples: ['03-1234-5678'] }),
  position: text(100)
    .nullable()
    .meta({ examples: ['購買部長'] }),
  company_id: id('comp').nullable(),
  owner_id: id('usr').nullable().describe('The member in charge; the acting user unless said.'),
  note: freeText(10_000)
    .nullable()
    .meta({ examples: ['展示会で名刺交換'] }),
};

/** What each field that a contact keeps as it is written may hold. */
export const contactSchemas = fields;

/** The fields that callers write, in the order in which they are shown. */
export const contactFields = [
  ...(Object.keys(fields) as (keyof typeof fields)[]),
  'external_id',
  'custom_fields',
  'metadata',
] as const;

/** A person, as the API shows one. */
export const Contact = z
  .strictObject({
    id: id('cont'),
    object: z.literal('crm.contact'),
    ...fields,
    external_id: ownKeys.external_id,
    custom_fields: CustomFieldValues,
    metadata: ownKeys.metadata,
    full_name: z
      .string()
      .describe('Last name first when either name holds CJK letters.')
      .meta({ examples: ['山田 花子'] }),
    tags: z.array(TagLabel),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Contact' });

export type Contact = z.output<typeof Contact>;

const sent = z.strictObject({ ...fields, custom_fields: CustomFieldChanges, ...ownKeysInput }).partial();

/** What a new contact is made from. */
export const ContactInput = sent.required({ first_name: true, last_name: true }).meta({ id: 'ContactInput' });

export type ContactInput = z.output<typeof ContactInput>;

/** What a change of a contact may hold; only the fields sent change, `null` clears. */
export const ContactPatch = sent.meta({ id: 'ContactPatch' });

export type ContactPatch = z.output<typeof ContactPatch>;

/** The table; beside the API's fields it holds what search and order are made from. */
export class ContactModel extends TenantModel {
  static override tableName = 'crm_contacts';
  static override jsonAttributes = ['custom_fields', 'metadata'];
  static override columnTypes = {
    search_grams: 'integer[]',
    custom_fields: 'jsonb',
    metadata: 'jsonb',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  };
}

/** What contacts are looked up by. */
export const contactKind = recordKind({
  table: ContactModel.tableName,
  prefix: 'cont',
  keys: { email: { schema: email(), column: 'email_key', compared: (value) => value.toLowerCase() } },
  merged_keys: ['external_id'],
});

export const contactFacts = factsOf({
  domain: 'crm',
  entity_type: 'contact',
  untold: ['full_name'],
  events: {
    created: 'crm.contact.created',
    updated: 'crm.contact.updated',
    deleted: 'crm.contact.deleted',
  },
});

uniqueKey('crm_contacts_external_id_once', {
  table: ContactModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another contact has this external_id',
    ja: 'この external_id はほかの担当者が使っています',
  },
  kind: contactKind,
});
refusesBy('crm_contacts_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
refusesBy('crm_contacts_organization_id_owner_id_fkey', () =>
  unknownReference('/owner_id', { en: 'The user', ja: 'ユーザー' }),
);
