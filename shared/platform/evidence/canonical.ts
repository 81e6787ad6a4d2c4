import { createHash } from 'node:crypto';
import type { AuditLog } from '../audit/record.ts';

/** What comes before the first link. */
export const BEFORE_FIRST = '0'.repeat(64);

/** The form of `canonical`; another one gets another number, and links of this one stay as they are. */
export const HASH_FORMAT = 1;

/** Where an entry stands in the chain. */
export type Place = { sequence: number; previous_hash: string; hash_format: number };

/** A link: its place, the bytes that were hashed as text, and their SHA-256 in hexadecimal. */
export type Link = Place & { canonical: string; hash: string };

/** Links an entry of the change history to the one before it. */
export function linkOf(entry: AuditLog, { sequence, hash }: Pick<Link, 'sequence' | 'hash'>): Link {
  const place = { sequence: sequence + 1, previous_hash: hash, hash_format: HASH_FORMAT };
  const canonical = canonicalOf(entry, place);
  return { ...place, canonical, hash: hashOf(canonical) };
}

/**
 * The text that is hashed: the entry as `/audit-logs` shows it with its place, in the members that the first version of the
 * API had, as canonical JSON (RFC 8785). It is our own, since what was hashed once must come out the same for ever.
 */
export function canonicalOf(entry: AuditLog, { sequence, previous_hash, hash_format }: Place): string {
  const { id, object, domain, entity_type, entity_id, action, actor, changes, request_id, ip_address } =
    entry;
  return canonicalJson({
    id,
    object,
    domain,
    entity_type,
    entity_id,
    action,
    actor: { type: actor.type, id: actor.id },
    changes,
    request_id,
    ip_address,
    created_at: entry.created_at,
    sequence,
    previous_hash,
    hash_format,
  });
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function hashOf(canonical: string): string {
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}

/**
 * JSON with sorted names and no spaces (RFC 8785, the JSON Canonicalization Scheme): numbers and texts are written as
 * ECMAScript writes them, names are sorted by their UTF-16 units. The value is what JSON.parse gives.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
