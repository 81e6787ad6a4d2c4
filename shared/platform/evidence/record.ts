import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { AuditLog } from '../audit/record.ts';
import type { Link } from './canonical.ts';

const HASH = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';

/** An entry of a history that holds changes of evidence, with its place in the organization's chain. */
export const SealedAuditLog = AuditLog.extend({
  sequence: z
    .int()
    .nullable()
    .describe(
      'Of a change of evidence, its place in the chain, from 1; null until it is sealed, within a second.',
    )
    .meta({ examples: [1] }),
  previous_hash: z
    .string()
    .nullable()
    .describe('`hash` of the entry before; 64 zeros for the first.')
    .meta({ examples: ['0'.repeat(64)] }),
  hash_format: z
    .int()
    .nullable()
    .describe('How `canonical` is made: 1.')
    .meta({ examples: [1] }),
  canonical: z
    .string()
    .nullable()
    .describe('The entry with the three members above as canonical JSON (RFC 8785): what is hashed.')
    .meta({
      examples: ['{"action":"create","actor":{"id":"usr_01kaj2n5w5fq8b4m0g3v7x9rtc","type":"user"}}'],
    }),
  hash: z
    .string()
    .nullable()
    .describe('SHA-256 of `canonical` in UTF-8, in hexadecimal.')
    .meta({ examples: [HASH] }),
}).meta({ id: 'SealedAuditLog' });

export type SealedAuditLog = z.output<typeof SealedAuditLog>;

const UNSEALED = { sequence: null, previous_hash: null, hash_format: null, canonical: null, hash: null };

/** The entries with their places in the chain. */
export async function withSeals(
  { connection, organization_id }: Reader,
  entries: readonly AuditLog[],
): Promise<SealedAuditLog[]> {
  const links = await connection.query<Link & { audit_log_id: string }>(
    `SELECT audit_log_id, sequence, previous_hash, hash_format, canonical, hash FROM evidence_chain
      WHERE organization_id = $1 AND audit_log_id = ANY ($2)`,
    [organization_id, entries.map(({ id }) => id)],
  );
  const seals = new Map(
    links.map(({ audit_log_id, ...link }) => [audit_log_id, { ...link, sequence: Number(link.sequence) }]),
  );
  return entries.map((entry) => ({ ...entry, ...(seals.get(entry.id) ?? UNSEALED) }));
}
