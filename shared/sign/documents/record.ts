import { z } from 'zod';
import { ownKeys } from '../../kernel/own-keys.ts';
import { computed, day, email, freeText, id, text, timestamp, timeZone } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { Reminders } from '../settings/reminders.ts';
import { FieldRules } from './field-rules.ts';
import { OriginalFile, Seal, SealedFile } from './file-record.ts';
import { FieldValue } from './values.ts';
import {
  cancelReasons,
  deliveries,
  documentActions,
  documentStatuses,
  fieldTypes,
  sealingStatuses,
  signerAuths,
  signerRoles,
  signerStatuses,
} from './words.ts';

/** Signers that a document may have, and fields, and people who see it beside its creator. */
export const MOST_SIGNERS = 30;
export const MOST_FIELDS = 500;
export const MOST_VIEWERS = 100;

/** Yen that a document may be about: twelve digits. */
export const MOST_YEN = 999_999_999_999;

/** Who gets a document, as the API shows it. */
export const Signer = z
  .strictObject({
    id: id('signer'),
    object: z.literal('sign.signer'),
    document_id: id('doc'),
    key: z
      .string()
      .describe('What your programs call the signer in this document.')
      .meta({ examples: ['s1'] }),
    name: name(100)
      .nullable()
      .meta({ examples: ['佐藤 花子'] }),
    email: email().nullable(),
    role: z
      .enum(signerRoles)
      .describe('`approver`: agrees, with or without fields; `cc`: gets the sealed copy alone.'),
    order_group: z
      .int()
      .describe('Groups are asked one after the other, those of one number at once.')
      .meta({ examples: [1] }),
    auth: z.enum(signerAuths).describe('How the signer shows who they are.'),
    has_access_code: z
      .boolean()
      .describe('Whether an access code is set; it is never shown.')
      .meta({ examples: [false] }),
    locale: z.enum(['ja', 'en']),
    time_zone: timeZone(),
    status: z.enum(signerStatuses),
    delivery: computed(z.enum(deliveries)).describe('How far the last mail with the link came.'),
    delivery_error: computed(z.string().nullable())
      .describe('What the server of the address said.')
      .meta({ examples: [null] }),
    locked: computed(z.boolean())
      .describe(
        'Whether wrong codes have locked the link: until `locked_until`, or until `unlock` where that is null.',
      )
      .meta({ examples: [false] }),
    locked_until: computed(timestamp().nullable()).meta({ examples: [null] }),
    viewed_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    signed_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    decline_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    reminders_sent: computed(z.int()).meta({ examples: [0] }),
    next_reminder_at: computed(timestamp().nullable()).meta({ examples: [null] }),
  })
  .meta({ id: 'SignSigner' });

export type Signer = z.output<typeof Signer>;

/** A field of a document, as the API shows it. */
export const Field = z
  .strictObject({
    id: id('sfld'),
    object: z.literal('sign.field'),
    key: z
      .string()
      .nullable()
      .describe('What your programs call the field in this document.')
      .meta({ examples: ['sign_here'] }),
    signer: id('signer').describe('Whose it is.'),
    type: z.enum(fieldTypes),
    page: z
      .int()
      .describe('From 1.')
      .meta({ examples: [1] }),
    x: z
      .number()
      .describe('From the left edge of the page as it is seen, as a part of its width.')
      .meta({ examples: [0.1] }),
    y: z
      .number()
      .describe('From its upper edge, as a part of its height.')
      .meta({ examples: [0.8] }),
    w: z.number().meta({ examples: [0.25] }),
    h: z.number().meta({ examples: [0.05] }),
    required: z.boolean().meta({ examples: [true] }),
    label: z
      .string()
      .nullable()
      .meta({ examples: ['署名'] }),
    ...FieldRules.shape,
    value: FieldValue.nullable()
      .describe('What it is filled with: by the sender before sending, by its signer from then on.')
      .meta({ examples: [null] }),
    read_only: z
      .boolean()
      .describe('Whether the value is the one that the sender gave.')
      .meta({ examples: [false] }),
  })
  .meta({ id: 'SignField' });

export type Field = z.output<typeof Field>;

/** What a document is about, for the search by date, amount and partner that 電子帳簿保存法 art. 7 asks for. */
export const searched = {
  transaction_date: day()
    .nullable()
    .meta({ examples: ['2026-12-01'] }),
  amount: z
    .int()
    .min(0)
    .max(MOST_YEN)
    .nullable()
    .describe('In yen.')
    .meta({ examples: [1_100_000] }),
  counterparty_name: text(200)
    .nullable()
    .meta({ examples: ['株式会社みなと商事'] }),
  company_id: id('comp').nullable(),
};

/** What can be said about a document. */
export const written = {
  title: name(200).meta({ examples: ['業務委託契約書'] }),
  message: freeText(2_000)
    .nullable()
    .describe('To the signers.')
    .meta({ examples: ['ご確認のうえ、ご署名をお願いいたします。'] }),
  locale: z
    .enum(['ja', 'en'])
    .describe("The certificate's language, and that of signers who have none of their own."),
  time_zone: timeZone(),
  visibility: z
    .enum(['private', 'organization'])
    .describe(
      '`private`: who created it, `viewers`, owner and admins see it; `organization`: all who read the domain.',
    ),
  viewers: z.array(id('usr')).max(MOST_VIEWERS).describe('Who sees it beside its creator, owner and admins.'),
  allow_forward: z
    .boolean()
    .describe('Whether a signer may pass the document on to somebody else.')
    .meta({ examples: [false] }),
  internal_memo: freeText(5_000)
    .nullable()
    .meta({ examples: [null] }),
  ...searched,
};

/** What somebody should know about a document who sends it. */
export const Warning = z
  .strictObject({
    code: z
      .enum(['earlier_signatures'])
      .describe(
        '`earlier_signatures`: the file came with signatures, so that nothing is drawn into its pages.',
      ),
  })
  .meta({ id: 'SignWarning' });

/** A document for signing, as the API shows it. */
export const SignDocument = z
  .strictObject({
    id: id('doc'),
    object: z.literal('sign.document'),
    title: written.title,
    status: z.enum(documentStatuses),
    message: written.message,
    locale: written.locale,
    time_zone: written.time_zone,
    expires_at: timestamp()
      .nullable()
      .describe('From then on guests can do nothing any more. Set when it is sent, where it does not say.')
      .meta({ examples: [null] }),
    signers: z.array(Signer),
    fields: z.array(Field).describe('In lists it is left out.').optional(),
    visibility: written.visibility,
    viewers: written.viewers,
    allow_forward: written.allow_forward,
    internal_memo: written.internal_memo,
    reminders: Reminders,
    transaction_date: written.transaction_date,
    amount: written.amount,
    counterparty_name: written.counterparty_name,
    company_id: written.company_id,
    cancel_reason: z.enum(cancelReasons).nullable(),
    cancel_note: z
      .string()
      .nullable()
      .describe('What who cancelled or declined it said.')
      .meta({ examples: [null] }),
    file: OriginalFile.nullable(),
    sealing: z
      .strictObject({
        status: z.enum(sealingStatuses),
        attempts: z.int().meta({ examples: [0] }),
        error: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
      })
      .describe('How far the sealing is, which begins when the last signer has signed.'),
    signed_file: SealedFile.nullable().meta({ examples: [null] }),
    certificate_file: SealedFile.nullable()
      .describe('A second sealed file with certificate and trail, where the upload came with signatures.')
      .meta({ examples: [null] }),
    seal: Seal.nullable().meta({ examples: [null] }),
    trail: computed(
      z.strictObject({
        length: z.int().meta({ examples: [0] }),
        head: z
          .string()
          .describe('The hash of its last event; zeros where it has none.')
          .meta({ examples: ['0'.repeat(64)] }),
      }),
    ),
    needs_attention: computed(z.boolean())
      .describe('Whether a mail failed or may have, a signer is locked out, or the sealing failed.')
      .meta({ examples: [false] }),
    warnings: z.array(Warning),
    available_actions: computed(z.array(z.enum(documentActions))).describe('What you can do to it now.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    sent_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    signed_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    cancelled_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    retention_until: day()
      .nullable()
      .describe(
        'Until that day a signed document is kept: counted from `transaction_date`, so that of an old one the time may be over already.',
      )
      .meta({ examples: [null] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SignDocument' });

export type SignDocument = z.output<typeof SignDocument>;
