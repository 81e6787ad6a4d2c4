import { z } from 'zod';
import { id, timestamp } from '../../kernel/schema.ts';

/**
 * What verifying finds. `valid`: byte for byte a sealed file. `modified`: a seal of the service whose file was changed.
 * `original`: an upload as it was sent. `unlisted`: an intact seal without a record. `unknown`: all else.
 */
export const verificationResults = ['valid', 'modified', 'original', 'unlisted', 'unknown'] as const;

/** Why something is not valid. */
export const verificationReasons = [
  'digest_mismatch',
  'appended',
  'not_identical',
  'file_missing',
  'trail_broken',
  'no_seal',
] as const;

export type VerificationReason = (typeof verificationReasons)[number];

const hash = () =>
  z.string().meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** A signature of a file that was verified. */
export const VerifiedSignature = z
  .strictObject({
    subject: z
      .string()
      .describe('Who signed, by their certificate.')
      .meta({ examples: ['Business Operations Service seal'] }),
    certificate_sha256: hash(),
    is_service_seal: z.boolean().describe('Whether it was made with a certificate of this service.'),
    digest_ok: z.boolean().describe('Whether what it covers is as it was signed.'),
    covers_whole_file: z.boolean(),
    level: z
      .enum(['B-B', 'B-LTA'])
      .nullable()
      .describe('Of PAdES, of seals of the service.')
      .meta({ examples: ['B-B'] }),
    signing_time: timestamp().nullable().describe('As the signer says.'),
    timestamp_at: timestamp()
      .nullable()
      .describe('As a time-stamping authority says.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'SignVerifiedSignature' });

export type VerifiedSignature = z.output<typeof VerifiedSignature>;

/** What a trail says of itself. */
export const VerifiedTrail = z
  .strictObject({
    ok: z.boolean().describe('Whether each hash follows from its event and the hash before.'),
    length: z.int().meta({ examples: [7] }),
    head: hash(),
    first_bad_seq: z
      .int()
      .nullable()
      .describe('The first event that does not fit.')
      .meta({ examples: [null] }),
    matches_database: z
      .boolean()
      .nullable()
      .describe('Whether the service has the same trail; null where it has none of that document.'),
  })
  .meta({ id: 'SignVerifiedTrail' });

export type VerifiedTrail = z.output<typeof VerifiedTrail>;

/** What was found about a file, a hash or a head. */
export const Verification = z
  .strictObject({
    object: z.literal('sign.verification'),
    result: z.enum(verificationResults),
    reasons: z
      .array(z.strictObject({ code: z.enum(verificationReasons) }))
      .describe(
        '`digest_mismatch`: what the seal covers was changed. `appended`: something stands behind it. `not_identical`: other bytes differ. `file_missing`, `trail_broken`: of a stored document. `no_seal`: there is none of this service.',
      )
      .meta({ examples: [[]] }),
    sha256: hash().nullable().describe('Of the file; null where none was given.'),
    document: z
      .strictObject({
        id: id('doc'),
        organization_name: z.string().meta({ examples: ['株式会社みなと商事'] }),
        sealed_at: timestamp().nullable(),
        signer_count: z.int().meta({ examples: [2] }),
      })
      .nullable()
      .describe('No title, no name and no address is told.'),
    signatures: z.array(VerifiedSignature),
    trail: VerifiedTrail.nullable().describe('The attached one, or the stored one where no file was given.'),
  })
  .meta({ id: 'SignVerification' });

export type Verification = z.output<typeof Verification>;
