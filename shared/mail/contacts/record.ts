import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { textsByName } from '../../kernel/open-objects.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { email, freeText, id, text, timestamp, timestampInput } from '../../kernel/schema.ts';
import { emailKey } from '../email-key.ts';

/** Who may be mailed: `active` contacts only. */
export const contactStatuses = ['active', 'unsubscribed', 'bounced'] as const;

/** The four cases in which the Japanese anti-spam act allows an advertisement (Art. 3(1)). */
export const consentBases = ['consent', 'address_notified', 'relationship', 'published'] as const;

const consentTexts = {
  basis: z
    .enum(consentBases)
    .describe('The case of the anti-spam act (特定電子メール法, Art. 3(1)) that allows advertisements.'),
  source: text(500)
    .nullable()
    .describe('Where it was given.')
    .meta({ examples: ['展示会の申込書'] }),
  text: text(10_000)
    .nullable()
    .describe('The words that were agreed to.')
    .meta({ examples: ['お知らせの配信に同意します'] }),
};

/** Why a contact may be sent advertisements, as answers show it. */
export const MailConsent = z
  .strictObject({
    basis: consentTexts.basis,
    source: consentTexts.source,
    at: timestamp(),
    text: consentTexts.text,
    tracking: z.boolean().describe('Whether opens and clicks may be counted.'),
  })
  .meta({ id: 'MailConsent' });

export type MailConsent = z.output<typeof MailConsent>;

/** The same as a request sends it. */
export const MailConsentInput = z
  .strictObject({
    basis: consentTexts.basis,
    source: consentTexts.source.default(null),
    at: timestampInput().describe(
      'When it was given: not later than now, but for clocks that are five minutes ahead.',
    ),
    text: consentTexts.text.default(null),
    tracking: z.boolean().default(false),
  })
  .meta({ id: 'MailConsentInput' });

/** Attributes that a contact may have. */
export const MOST_ATTRIBUTES = 50;

/** Texts by their name: what an office knows of a contact beside the fields. */
const MailAttributes = textsByName()
  .describe(`At most ${MOST_ATTRIBUTES} texts by name.`)
  .meta({ examples: [{ 会社名: '山田商店' }] });

/** The same as a request sends them; they replace those before. */
export const MailAttributesInput = z
  .record(text(100), freeText(10_000))
  .refine((attributes) => Object.keys(attributes).length <= MOST_ATTRIBUTES, {
    params: { code: 'too_many' },
    error: says({
      en: `must hold ${MOST_ATTRIBUTES} attributes or fewer`,
      ja: `は${MOST_ATTRIBUTES}件以内で指定してください`,
    }),
  })
  .describe(`At most ${MOST_ATTRIBUTES} texts by name; they replace those before.`)
  .meta({ examples: [{ 会社名: '山田商店' }] });

const names = {
  first_name: text(100)
    .nullable()
    .meta({ examples: ['花子'] }),
  last_name: text(100)
    .nullable()
    .meta({ examples: ['山田'] }),
};

const status = z.enum(contactStatuses);

/** What the service writes; who changes a status may write anything. */
export const statusReasons = [
  'one_click',
  'page',
  'mail',
  'complaint',
  'hard_bounce',
  'soft_bounce',
  'admin',
] as const;

const statusReason = text(100)
  .nullable()
  .describe(
    `Why it has this status: ${statusReasons.map((reason) => `\`${reason}\``).join(', ')}, or what a change said.`,
  );

/** What campaigns and the person did with it; no request sets it. */
const happened = (text: string) =>
  timestamp()
    .nullable()
    .describe(text)
    .meta({ examples: [null] });

/** An address for mail delivery, as the API shows it. */
export const MailContact = z
  .strictObject({
    id: id('mcont'),
    object: z.literal('mail.contact'),
    email: email(),
    ...names,
    full_name: z
      .string()
      .nullable()
      .describe('Last name first when either name holds CJK letters; null without a name.')
      .meta({ examples: ['山田 花子'] }),
    status,
    status_reason: statusReason.meta({ examples: [null] }),
    list_ids: z.array(id('mlist')).describe('The lists that it is in, also those that the person has left.'),
    attributes: MailAttributes,
    external_id: ownKeys.external_id,
    metadata: ownKeys.metadata,
    consent: MailConsent.nullable().describe('Without one no advertisement is sent.'),
    crm_contact_id: id('cont')
      .nullable()
      .describe('The CRM contact with the same e-mail, the oldest of several.'),
    last_sent_at: happened('When the last mail of a campaign left.'),
    last_opened_at: happened('When the person last opened one that may be counted.'),
    last_clicked_at: happened('When the person last followed a link of one that may be counted.'),
    unsubscribed_at: happened('When the person refused; null again with a later consent.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailContact' });

export type MailContact = z.output<typeof MailContact>;

const written = {
  email: email(),
  ...names,
  attributes: MailAttributesInput,
  ...ownKeysInput,
  consent: MailConsentInput.nullable(),
};

/** What a new mail contact is made from. */
export const MailContactInput = z
  .strictObject({ ...written, list_id: id('mlist').nullable().describe('A list to put it into.') })
  .partial()
  .required({ email: true })
  .meta({ id: 'MailContactInput' });

export type MailContactInput = z.output<typeof MailContactInput>;

/** What a change of a mail contact may hold; only the fields sent change, `null` clears. */
export const MailContactPatch = z
  .strictObject({ ...written, status, status_reason: statusReason.meta({ examples: ['admin'] }) })
  .partial()
  .meta({ id: 'MailContactPatch' });

export type MailContactPatch = z.output<typeof MailContactPatch>;

/** The table; beside the API's fields it holds what search, uniqueness and imports go by. */
export class MailContactModel extends TenantModel {
  static override tableName = 'mail_contacts';
  static override jsonAttributes = ['attributes', 'metadata', 'consent'];
}

/** What mail contacts are looked up by. */
export const mailContactKind = recordKind({
  table: MailContactModel.tableName,
  prefix: 'mcont',
  keys: { email: { schema: email(), column: 'email_key', compared: emailKey } },
});

export const mailContactFacts = factsOf({
  domain: 'mail',
  entity_type: 'contact',
  computed: [
    'full_name',
    'list_ids',
    'crm_contact_id',
    'last_sent_at',
    'last_opened_at',
    'last_clicked_at',
    'unsubscribed_at',
  ],
  masked: ['email', 'first_name', 'last_name', 'attributes', 'external_id', 'metadata'],
});

/** A known e-mail: 409 that names whose it is, null when that was removed at the moment and for who may not read it. */
export function emailInUse(contact_id: string | null): Failure {
  const message = {
    en: `${contact_id ?? 'Another contact'} has this e-mail`,
    ja: `このメールアドレスは${contact_id ?? 'ほかの連絡先'}が使っています`,
  };
  return new Failure('already_exists', {
    detail: message,
    errors: [{ in: 'body', path: '/email', code: 'already_exists', message }],
    members: { existing_id: contact_id, contact_id },
  });
}

/** An external_id in use: 409 that names the contact that has it, null for who may not read it. */
export function externalIdInUse(existing_id: string | null): Failure {
  return new Failure('already_exists', {
    detail: EXTERNAL_ID_IN_USE,
    errors: [{ in: 'body', path: '/external_id', code: 'already_exists', message: EXTERNAL_ID_IN_USE }],
    members: { existing_id },
  });
}

const EXTERNAL_ID_IN_USE = {
  en: 'Another contact has this external_id',
  ja: 'この external_id はほかの連絡先が使っています',
};

uniqueKey('mail_contacts_email_once', {
  table: MailContactModel.tableName,
  read_by: 'mail:read',
  columns: ['email_key'],
  path: '/email',
  message: {
    en: 'Another contact has this e-mail',
    ja: 'このメールアドレスはほかの連絡先が使っています',
  },
});
uniqueKey('mail_contacts_external_id_once', {
  table: MailContactModel.tableName,
  read_by: 'mail:read',
  columns: ['external_id'],
  path: '/external_id',
  message: EXTERNAL_ID_IN_USE,
});
