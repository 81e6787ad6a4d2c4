import { createHash } from 'node:crypto';
import { canonicalJson } from '../../platform/evidence/canonical.ts';

/** What stands before the first event of a trail. */
export const BEFORE_FIRST = '0'.repeat(64);

/** Who did what the trail says. A guest's id is the signer's; the service itself is `system`. */
export type TrailActor = { type: 'user' | 'api_key' | 'guest' | 'system'; id: string; name: string };

/** What of an event is hashed: all that is told but `id`, `object` and the hashes. */
export type Hashed = {
  document_id: string;
  seq: number;
  type: string;
  actor: TrailActor;
  ip_address: string | null;
  user_agent: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  data: Record<string, unknown>;
};

/**
 * The hash of an event: hexadecimal SHA-256 of the 64 characters of the hash before it, followed by the canonical JSON
 * (RFC 8785) of the event, in UTF-8. Members beside those of `Hashed` are left aside.
 */
export function hashOfEvent(
  prev_hash: string,
  { document_id, seq, type, actor, ip_address, user_agent, at, data }: Hashed,
): string {
  const { id, name } = actor;
  const told = { type: actor.type, id, name };
  const text = canonicalJson({ document_id, seq, type, actor: told, ip_address, user_agent, at, data });
  return createHash('sha256').update(`${prev_hash}${text}`, 'utf8').digest('hex');
}

/** An event with its place in the chain. */
export type Chained = Hashed & { prev_hash: string; hash: string };

/**
 * The `seq` at which a trail first disagrees with itself: a hole, a hash that is not the event's, or one that does not follow from
 * the event before. Null where it holds. The events come in their order, all of them.
 */
export function firstBadSeq(events: readonly Chained[]): number | null {
  let before = BEFORE_FIRST;
  for (const [index, event] of events.entries()) {
    const isNext = event.seq === index + 1 && event.prev_hash === before;
    if (!isNext || event.hash !== hashOfEvent(before, event)) return index + 1;
    before = event.hash;
  }
  return null;
}
