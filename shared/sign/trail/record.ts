import { z } from 'zod';
import { valuesByName } from '../../kernel/open-objects.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { Table } from '../../kernel/work.ts';

/** What a trail can say of a document. */
export const trailTypes = [
  'sent',
  'invited',
  'delivery_failed',
  'otp_sent',
  'access_failed',
  'access_locked',
  'unlocked',
  'opened',
  'signed',
  'declined',
  'reminded',
  'replaced',
  'forwarded',
  'expiry_changed',
  'expiry_warned',
  'cancelled',
  'expired',
  'completed',
  'seal_failed',
  'downloaded',
  'sealed',
  'renewed',
] as const;

export type TrailType = (typeof trailTypes)[number];

/** A hash of a chain, in hexadecimal. */
export const hash = () => z.string().regex(/^[0-9a-f]{64}$/);

/** An event of a document's trail as the API shows it. */
export const TrailEvent = z
  .strictObject({
    id: id('sevt'),
    object: z.literal('sign.event'),
    document_id: id('doc'),
    seq: z
      .int()
      .min(1)
      .describe('From 1 without holes.')
      .meta({ examples: [1] }),
    type: z.enum(trailTypes).meta({ examples: ['sent'] }),
    actor: z
      .strictObject({
        type: z.enum(['user', 'api_key', 'guest', 'system']),
        id: z.string().describe('Of a guest: the signer.'),
        name: z.string(),
      })
      .meta({ examples: [{ type: 'user', id: 'usr_01kaj2n5w5fq8b4m0g3v7x9rtc', name: '佐藤花子' }] }),
    ip_address: z
      .string()
      .nullable()
      .meta({ examples: ['203.0.113.7'] }),
    user_agent: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    at: timestamp(),
    data: valuesByName()
      .describe('What is said beside the type; `signer_id` where one signer is meant.')
      .meta({
        examples: [
          { file_sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', signers: 2 },
        ],
      }),
    prev_hash: hash()
      .describe('The hash of the event before; 64 zeros before the first.')
      .meta({ examples: ['0'.repeat(64)] }),
    hash: hash()
      .describe(
        'Hexadecimal SHA-256 of the 64 characters of `prev_hash`, followed by the event without `id`, `object`, `prev_hash` and `hash` as canonical JSON (RFC 8785) in UTF-8.',
      )
      .meta({ examples: ['32abe5349e21bcf228bce9397e5a03a6c651e932ca979861d63dc18caa6f7977'] }),
  })
  .meta({ id: 'SignEvent' });

export type TrailEvent = z.output<typeof TrailEvent>;

export const SIGN_TRAIL: Table = { tableName: 'sign_trail', jsonAttributes: ['actor', 'data'] };
