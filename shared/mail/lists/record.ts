import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { freeText, id, text, timestamp } from '../../kernel/schema.ts';

const fields = {
  name: text(100)
    .describe('Unique in the organization without regard to case and width.')
    .meta({ examples: ['ニュースレター'] }),
  description: freeText(2_000)
    .nullable()
    .meta({ examples: ['毎月のお知らせ'] }),
};

/** A list of mail contacts, as the API shows it. */
export const MailList = z
  .strictObject({
    id: id('mlist'),
    object: z.literal('mail.list'),
    ...fields,
    ...ownKeys,
    contact_count: z.int().describe('How many contacts are in it, also those that have left it themselves.'),
    active_count: z.int().describe('How many of them may be mailed: active, and not left.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailList' });

export type MailList = z.output<typeof MailList>;

/** What a new list is made from. */
export const MailListInput = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial()
  .required({ name: true })
  .meta({ id: 'MailListInput' });

export type MailListInput = z.output<typeof MailListInput>;

/** What a change of a list may hold. */
export const MailListPatch = z
  .strictObject({ ...fields, ...ownKeysInput })
  .partial()
  .meta({ id: 'MailListPatch' });

export type MailListPatch = z.output<typeof MailListPatch>;

/** That a contact is in a list. */
export const MailMembership = z
  .strictObject({
    list_id: id('mlist'),
    contact_id: id('mcont'),
    added_at: timestamp(),
    unsubscribed_at: timestamp().nullable().describe('When the person left the list, if so.'),
  })
  .meta({ id: 'MailMembership' });

export type MailMembership = z.output<typeof MailMembership>;

export class MailListModel extends TenantModel {
  static override tableName = 'mail_lists';
  static override jsonAttributes = ['metadata'];
}

/** What lists are looked up by. */
export const mailListKind = recordKind({ table: MailListModel.tableName, prefix: 'mlist' });

export const mailListFacts = factsOf({
  domain: 'mail',
  entity_type: 'list',
  computed: ['contact_count', 'active_count'],
  masked: ['external_id', 'metadata'],
});

/** Told under the contact's ID: a membership has none of its own. */
export const membershipFacts = factsOf({ domain: 'mail', entity_type: 'list_member' });

uniqueKey('mail_lists_name_once', {
  table: MailListModel.tableName,
  read_by: 'mail:read',
  columns: ['name_key'],
  path: '/name',
  message: { en: 'Another list has this name', ja: 'この名前はほかのリストが使っています' },
});
uniqueKey('mail_lists_external_id_once', {
  table: MailListModel.tableName,
  read_by: 'mail:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another list has this external_id', ja: 'この external_id はほかのリストが使っています' },
});
