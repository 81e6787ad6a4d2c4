import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { isOrigin } from '../../kernel/origin.ts';
import { email, freeText, id, text, timestamp, timestampInput, timeZoneInput } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';

/** Each as many as the page of the domain allows. */
const MOST_ORIGINS = 20;
const MOST_NOTIFIED = 20;
const MOST_BLOCKED = 100;
const MOST_TAGS = 50;
export const MOST_RESPONSES = 1_000_000;

const whole = (least: number, most: number) => z.int().min(least).max(most);

/** The ID of a field of the form. */
export const fieldId = () =>
  z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,63}$/,
      says({ en: 'must be the ID of a field', ja: 'はフィールドのIDで指定してください' }),
    )
    .meta({ examples: ['email'] });

const embedOrigin = () =>
  z
    .string()
    .max(255)
    .refine(isOrigin, {
      params: { code: 'invalid_format' },
      error: says({
        en: 'must be an origin, for example https://www.example.co.jp',
        ja: 'は https://www.example.co.jp のようなオリジンで指定してください',
      }),
    })
    .meta({ examples: ['https://www.example.co.jp'] });

export const challenges = ['off', 'on_burst', 'always'] as const;

export const matchRules = ['link_only', 'fill_blank', 'update'] as const;

const notify = {
  emails: z.array(email()).max(MOST_NOTIFIED),
  include_answers: z.boolean().meta({ examples: [true] }),
};

const receiptMail = {
  enabled: z.boolean().meta({ examples: [false] }),
  field_id: fieldId().nullable().describe('The e-mail field whose answer the receipt goes to.'),
  subject: name(200)
    .nullable()
    .meta({ examples: ['お問い合わせありがとうございます'] }),
  message: freeText(5_000)
    .nullable()
    .meta({ examples: ['担当者よりご連絡いたします。'] }),
  include_answers: z.boolean().meta({ examples: [false] }),
};

const spam = {
  min_seconds: whole(0, 60)
    .describe('Who submits sooner than so long after the form was opened is flagged.')
    .meta({ examples: [3] }),
  max_links: whole(0, 1_000)
    .describe('More links than this in the answers are flagged.')
    .meta({ examples: [5] }),
  blocked_words: z.array(text(100).meta({ examples: ['副業'] })).max(MOST_BLOCKED),
  per_address: whole(0, 100_000)
    .describe('Submissions from one address in ten minutes; 0: any number.')
    .meta({ examples: [60] }),
  challenge: z.enum(challenges).describe('When a proof of work is asked for.'),
  burst: whole(1, 100_000)
    .describe('Submissions of the form in a minute after which one is asked for by `on_burst`.')
    .meta({ examples: [30] }),
};

const crm = {
  enabled: z.boolean().meta({ examples: [false] }),
  map: z
    .record(z.string().max(100), z.string().max(100))
    .describe('A field of the contact each, and the field of the form, or its part, that fills it.')
    .meta({ examples: [{ email: 'email', last_name: 'who.last_name', first_name: 'who.first_name' }] }),
  on_match: z.enum(matchRules).describe('What becomes of a contact that is there already.'),
  tag_ids: z.array(id('tag')).max(MOST_TAGS),
  owner_id: id('usr').nullable(),
  create_company: z
    .boolean()
    .describe('Whether a company is made where none has the name.')
    .meta({ examples: [false] }),
};

const MailingList = z
  .strictObject({ list_id: id('mlist'), email_field: fieldId(), consent_field: fieldId() })
  .meta({ id: 'FormMailingList' });

const plain = {
  time_zone: timeZoneInput().describe('The zone of its dates and times.'),
  opens_at: timestampInput()
    .nullable()
    .describe('From then on it takes responses; null: at once.')
    .meta({ examples: [null] }),
  closes_at: timestampInput()
    .nullable()
    .describe('From then on it takes none any more.')
    .meta({ examples: [null] }),
  max_responses: whole(1, MOST_RESPONSES)
    .nullable()
    .describe('Responses that it takes, without spam.')
    .meta({ examples: [null] }),
  one_per: z.enum(['none', 'email']).describe('`email`: one response for each answer of `one_per_field`.'),
  one_per_field: fieldId()
    .nullable()
    .meta({ examples: [null] }),
  access: z.enum(['open', 'invited']),
  embed_origins: z.array(embedOrigin()).max(MOST_ORIGINS).describe('Sites that may show and call the form.'),
  allow_edit_hours: whole(0, 720)
    .describe('Hours for which who responded may change the answers; 0: never.')
    .meta({ examples: [0] }),
  resume_days: whole(0, 90)
    .describe('Days for which what was saved can be resumed; 0: nothing is saved.')
    .meta({ examples: [14] }),
  retention_days: whole(1, 3_650)
    .nullable()
    .describe('Days after which a response is removed; null: never.')
    .meta({ examples: [null] }),
};

const kept = {
  ...plain,
  notify: z.strictObject(notify).meta({ id: 'FormNotify' }),
  receipt_mail: z.strictObject(receiptMail).meta({ id: 'FormReceiptMail' }),
  spam: z.strictObject(spam).meta({ id: 'FormSpamRules' }),
  crm: z.strictObject(crm).meta({ id: 'FormCrm' }),
  mailing_list: MailingList.nullable().describe('Where a consent asks for an opt-in; null: nowhere.'),
};

/** The settings of a form, as the API shows them. They have the ID of the form. */
export const FormSettings = z
  .strictObject({
    id: id('form'),
    object: z.literal('forms.settings'),
    ...kept,
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    opens_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    closes_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    updated_at: timestamp(),
  })
  .meta({ id: 'FormSettings' });

export type FormSettings = z.output<typeof FormSettings>;

/** What is sent of settings: what is left out stays as it is. */
export const FormSettingsPatch = z
  .strictObject({
    ...plain,
    notify: z.strictObject(notify).partial().meta({ id: 'FormNotifyChanges' }),
    receipt_mail: z.strictObject(receiptMail).partial().meta({ id: 'FormReceiptMailChanges' }),
    spam: z.strictObject(spam).partial().meta({ id: 'FormSpamChanges' }),
    crm: z.strictObject(crm).partial().meta({ id: 'FormCrmChanges' }),
    mailing_list: MailingList.nullable(),
  })
  .partial()
  .meta({ id: 'FormSettingsPatch' });

export type FormSettingsPatch = z.output<typeof FormSettingsPatch>;

/** The settings as they are stored, in the order of the API. */
export type KeptSettings = Omit<FormSettings, 'id' | 'object' | 'updated_at'>;

/** What a new form has. */
export const defaultSettings: KeptSettings = {
  time_zone: 'Asia/Tokyo',
  opens_at: null,
  closes_at: null,
  max_responses: null,
  one_per: 'none',
  one_per_field: null,
  access: 'open',
  embed_origins: [],
  allow_edit_hours: 0,
  resume_days: 14,
  retention_days: null,
  notify: { emails: [], include_answers: true },
  receipt_mail: { enabled: false, field_id: null, subject: null, message: null, include_answers: false },
  spam: { min_seconds: 3, max_links: 5, blocked_words: [], per_address: 60, challenge: 'off', burst: 30 },
  crm: { enabled: false, map: {}, on_match: 'link_only', tag_ids: [], owner_id: null, create_company: false },
  mailing_list: null,
};

export const settingNames = Object.keys(defaultSettings) as (keyof KeptSettings)[];

/** A setting as its column takes it: objects and lists as JSON. */
export function storedSetting(value: KeptSettings[keyof KeptSettings]): string | number | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

export const settingsFacts = factsOf({ domain: 'forms', entity_type: 'settings' });
