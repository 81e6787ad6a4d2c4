import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { ownKeysInput } from '../../kernel/own-keys.ts';
import { email, freeText, id, keyText, timestampInput, timeZoneInput } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { RemindersChanges } from '../settings/reminders.ts';
import { FieldRules } from './field-rules.ts';
import { MOST_FIELDS, MOST_SIGNERS, written } from './record.ts';
import { FieldValueInput, fraction } from './values.ts';
import { fieldTypes, signerAuths, signerRoles } from './words.ts';

const key = () =>
  keyText(/^[a-z][a-z0-9_]{0,31}$/, {
    en: 'must begin with a-z and hold up to 32 of the characters a-z 0-9 _',
    ja: 'は英小文字で始まる、英小文字・数字・_ の32文字以内で指定してください',
  });

const signerMembers = {
  key: key()
    .describe('Unique in the document; s1, s2 and so on unless said.')
    .meta({ examples: ['s1'] }),
  name: name(100)
    .nullable()
    .meta({ examples: ['佐藤 花子'] }),
  email: email().nullable(),
  role: z.enum(signerRoles).describe('`signer` unless said.'),
  order_group: z
    .int()
    .min(1)
    .max(30)
    .describe('1 unless said.')
    .meta({ examples: [1] }),
  auth: z.enum(signerAuths).describe('That of the settings unless said.'),
  access_code: z
    .string()
    .regex(
      /^[\x21-\x7e]{4,32}$/,
      says({
        en: 'must be 4 to 32 visible ASCII characters',
        ja: 'は4〜32文字の半角英数字と記号で指定してください',
      }),
    )
    .nullable()
    .describe('What the signer is told on another way than by mail. It is stored as a hash, and never shown.')
    .meta({ examples: ['7Q4K-92'] }),
  locale: z.enum(['ja', 'en']).describe("The document's unless said."),
  time_zone: timeZoneInput().describe("The document's unless said."),
};

/** A signer of a new document. */
export const SignerInput = z.strictObject(signerMembers).partial().meta({ id: 'SignSignerInput' });

const fieldMembers = {
  key: key()
    .nullable()
    .meta({ examples: ['sign_here'] }),
  signer: z
    .string()
    .max(100)
    .describe('Whose it is: `id` or `key` of one of the signers.')
    .meta({ examples: ['s1'] }),
  type: z.enum(fieldTypes),
  page: z
    .int()
    .min(1)
    .max(500)
    .meta({ examples: [1] }),
  x: fraction().meta({ examples: [0.1] }),
  y: fraction().meta({ examples: [0.8] }),
  w: fraction().meta({ examples: [0.25] }),
  h: fraction().meta({ examples: [0.05] }),
  required: z
    .boolean()
    .describe('True unless said; false for a checkbox.')
    .meta({ examples: [true] }),
  label: freeText(100)
    .nullable()
    .meta({ examples: ['署名'] }),
  ...FieldRules.shape,
  value: FieldValueInput.nullable()
    .describe('What it is filled with before its signer sees it.')
    .meta({ examples: [null] }),
  read_only: z
    .boolean()
    .describe('Whether its signer cannot change the value.')
    .meta({ examples: [false] }),
};

/** A field of a new document. */
export const FieldInput = z
  .strictObject(fieldMembers)
  .partial()
  .required({ signer: true, type: true, page: true, x: true, y: true, w: true, h: true })
  .meta({ id: 'SignFieldInput' });

/** A signer in a change: one with a known ID keeps what it does not send. */
export const SignerChange = z
  .strictObject({ id: id('signer'), ...signerMembers })
  .partial()
  .meta({ id: 'SignSignerChange' });

export type SignerChange = z.output<typeof SignerChange>;

/** A field in a change: one with a known ID keeps what it does not send. */
export const FieldChange = z
  .strictObject({ id: id('sfld'), ...fieldMembers })
  .partial()
  .meta({ id: 'SignFieldChange' });

export type FieldChange = z.output<typeof FieldChange>;

const members = {
  ...written,
  time_zone: timeZoneInput().describe('That of the settings unless said.'),
  expires_at: timestampInput()
    .nullable()
    .describe('So many days after sending as the settings say, unless said.')
    .meta({ examples: [null] }),
  reminders: RemindersChanges.describe('What differs from those of the settings.'),
  ...ownKeysInput,
};

/** What a new document can be made from beside an upload. */
export const sourceTypes = [
  'document',
  'quotation',
  'invoice',
  'delivery_note',
  'purchase_order',
  'cloud_file',
] as const;

export type SourceType = (typeof sourceTypes)[number];

/** What a new document is made from, but for its file. */
export const DocumentInput = z
  .strictObject({
    ...members,
    signers: z.array(SignerInput).max(MOST_SIGNERS),
    fields: z.array(FieldInput).max(MOST_FIELDS),
    source: z
      .strictObject({
        type: z.enum(sourceTypes),
        id: freeText(100).meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
      })
      .describe(
        'Whose file it gets: an issued document of invoicing, a file of the cloud, or another document for signing, which also gives signers and fields.',
      ),
    send: z
      .boolean()
      .describe('Whether it is sent at once; what cannot be sent is not made either.')
      .meta({ examples: [false] }),
  })
  .partial()
  .required({ title: true })
  .meta({ id: 'SignDocumentInput' });

export type DocumentInput = z.output<typeof DocumentInput>;

/** What a change of a document may hold. */
export const DocumentPatch = z
  .strictObject({
    ...members,
    reminders: RemindersChanges.describe('Merged into those that are there.'),
    signers: z
      .array(SignerChange)
      .max(MOST_SIGNERS)
      .describe('In the place of those that are there; the fields of one who is left out go.'),
    fields: z.array(FieldChange).max(MOST_FIELDS).describe('In the place of those that are there.'),
  })
  .partial()
  .meta({ id: 'SignDocumentPatch' });

export type DocumentPatch = z.output<typeof DocumentPatch>;
