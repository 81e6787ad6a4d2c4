import { z } from 'zod';
import { email, id, text, timestamp } from '../../kernel/schema.ts';
import { guestName } from '../../platform/access/names.ts';
import { OriginalFile } from '../documents/file-record.ts';
import { Field, SignDocument, Signer } from '../documents/record.ts';
import { FieldValueInput } from '../documents/values.ts';
import { cancelReasons, signerAuths } from '../documents/words.ts';

const hash = () =>
  z.string().meta({ examples: ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'] });

/** A document as its signer sees it by the link. What stands last is told to who has access alone. */
export const Signing = z
  .strictObject({
    object: z.literal('sign.signing'),
    title: SignDocument.shape.title,
    status: z.enum(['sent', 'signed', 'cancelled']),
    cancel_reason: z
      .enum(cancelReasons)
      .nullable()
      .meta({ examples: [null] }),
    sender_name: z
      .string()
      .describe('Who sent it; the name of the organization where they have left.')
      .meta({ examples: ['佐藤 花子'] }),
    organization_name: z.string().meta({ examples: ['みなと商事株式会社'] }),
    signer: z.strictObject({
      id: id('signer'),
      name: z.string().meta({ examples: ['田中 一郎'] }),
      email: z
        .string()
        .describe('Without the letters that only its owner needs.')
        .meta({ examples: ['t***@example.jp'] }),
      role: Signer.shape.role,
      status: Signer.shape.status,
    }),
    auth: z.enum(signerAuths).describe('What `access` asks for.'),
    access: z
      .enum(['none', 'granted', 'locked'])
      .describe('`locked`: wrong codes have locked it; `granted` by the cookie that `access` answers.')
      .meta({ examples: ['granted'] }),
    expires_at: timestamp().nullable(),
    message: SignDocument.shape.message.optional(),
    allow_forward: SignDocument.shape.allow_forward.optional(),
    file: OriginalFile.optional(),
    fields: z.array(Field).describe('Those of the signer, and those of all who have signed.').optional(),
    values_sha256: hash()
      .describe(
        'SHA-256 of the canonical JSON (RFC 8785) of `[{ field_id, value }]`, sorted by `field_id`, of all who have signed.',
      )
      .optional(),
    consent: z
      .strictObject({
        version: z.string().meta({ examples: ['2026-11-01'] }),
        text: z.string().meta({ examples: ['表示された書類の内容を確認し、電子署名により同意します。'] }),
      })
      .describe("What signing agrees to, in the signer's language.")
      .optional(),
  })
  .meta({ id: 'SignSigning' });

export type Signing = z.output<typeof Signing>;

/** The codes that open a document, as its `auth` asks. */
export const AccessInput = z
  .strictObject({
    access_code: z
      .string()
      .max(100)
      .describe('The code that the sender told the signer.')
      .meta({ examples: ['quiet-river-42'] })
      .optional(),
    otp: z
      .string()
      .max(100)
      .describe('The six digits of the mail.')
      .meta({ examples: ['401973'] })
      .optional(),
  })
  .meta({ id: 'SignAccessInput' });

export type AccessInput = z.output<typeof AccessInput>;

/** Where a mailed code went. */
export const SentCode = z
  .strictObject({
    sent_to: z.string().meta({ examples: ['t***@example.jp'] }),
    valid_minutes: z.int().meta({ examples: [10] }),
  })
  .meta({ id: 'SignSentCode' });

const reason = text(1_000)
  .describe('Told to the sender and to who had a mail.')
  .meta({ examples: ['契約期間が合意した内容と異なります。'] });

/** The value of one field; null clears it. */
export const FieldValueChange = z
  .strictObject({
    value: FieldValueInput.nullable().meta({ examples: ['東京都港区芝公園4-2-8'] }),
  })
  .meta({ id: 'SignFieldValueChange' });

/** What is signed: the hashes of what was shown, the consent that was read, and values beside those that were saved. */
export const SignInput = z
  .strictObject({
    document_sha256: hash().describe('`file.sha256` of what was shown.'),
    values_sha256: hash().describe('`values_sha256` of what was shown.'),
    consent_version: z
      .string()
      .max(20)
      .describe('`consent.version` of what was shown: sending it is the consent.')
      .meta({ examples: ['2026-11-01'] }),
    values: z
      .record(z.string().max(100), FieldValueInput.nullable())
      .describe('By the `id` or `key` of a field; null clears one that was saved.')
      .meta({ examples: [{ sign_here: { kind: 'typed', text: '田中 一郎' } }] })
      .optional(),
  })
  .meta({ id: 'SignInput' });

export type SignInput = z.output<typeof SignInput>;

export const DeclineInput = z.strictObject({ reason }).meta({ id: 'SignDeclineInput' });

/** Who signs in the guest's place. */
export const ForwardInput = z
  .strictObject({ name: guestName(100).meta({ examples: ['鈴木 次郎'] }), email: email() })
  .meta({ id: 'SignForwardInput' });

export type ForwardInput = z.output<typeof ForwardInput>;
