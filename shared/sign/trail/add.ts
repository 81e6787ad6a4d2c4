import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { hashOfEvent, type TrailActor } from './chain.ts';
import { SIGN_TRAIL, type TrailType } from './record.ts';

/** The row of a document as its trail needs it: locked, with the end of the trail. */
export type Trailed = { id: string; trail_length: number; trail_head: string; trail_at: string | null };

/** An event before it has its place. */
export type TrailEntry = {
  type: TrailType;
  actor: TrailActor;
  data?: Record<string, unknown>;
  /** The signer who is meant: it becomes `data.signer_id`. */
  signer_id?: string;
  /** Where the act came from; the address of the work's caller where nothing is said, none for the service's own acts. */
  ip_address?: string | null;
  user_agent?: string | null;
};

/** The service itself, in a trail. */
export const SYSTEM: TrailActor = { type: 'system', id: 'system', name: 'system' };

/**
 * Adds events to the trail of a document, at the commit of the work. The document's row is locked by the work; the new end of its
 * trail is written to the row and noted in `document`, so that a second call goes on from there. Who has waited for the lock came
 * before what the trail ends with: an event is at the time of the last one at least.
 */
export function addToTrail(work: Work, document: Trailed, entries: readonly TrailEntry[]): void {
  if (entries.length === 0) return;
  const now = work.now.toISOString();
  const at = document.trail_at !== null && document.trail_at > now ? document.trail_at : now;
  const rows = entries.map((entry) => {
    const seq = document.trail_length + 1;
    const prev_hash = document.trail_head;
    const hashed = hashedOf(work, { document_id: document.id, seq, at }, entry);
    const hash = hashOfEvent(prev_hash, hashed);
    document.trail_length = seq;
    document.trail_head = hash;
    return { id: newId('sevt', work.now), ...hashed, prev_hash, hash };
  });
  work.insertAll(SIGN_TRAIL, rows);
  document.trail_at = at;
  const { id, trail_length, trail_head } = document;
  work.update(DOCUMENTS, id, { trail_length, trail_head, trail_at: at });
}

const DOCUMENTS = { tableName: 'sign_documents' };

/** The longest User-Agent that is kept, in characters. */
const LONGEST_AGENT = 500;

function hashedOf(
  work: Work,
  place: { document_id: string; seq: number; at: string },
  { type, actor, data = {}, signer_id, ...from }: TrailEntry,
) {
  const { ip_address = actor.type === 'system' ? null : work.ip_address, user_agent = null } = from;
  return {
    ...place,
    type,
    actor,
    ip_address,
    user_agent: user_agent === null ? null : user_agent.toWellFormed().slice(0, LONGEST_AGENT).toWellFormed(),
    data: signer_id === undefined ? data : { signer_id, ...data },
  };
}

/** A signer who acts, as a trail names them. */
export function guestOf({ id, name }: { id: string; name: string | null }): TrailActor {
  return { type: 'guest', id, name: name ?? '' };
}

/** Who acts in a request, as a trail names them: a person, a key, or the service. */
export async function trailActor({
  connection,
  organization_id,
  actor,
}: Pick<Reader, 'connection' | 'organization_id' | 'actor'>): Promise<TrailActor> {
  const { type, id } = actor;
  if (type !== 'user' && type !== 'api_key') return SYSTEM;
  const [found] =
    type === 'user'
      ? await connection.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [id])
      : await connection.query<{ name: string }>(
          'SELECT name FROM api_keys WHERE organization_id = $1 AND id = $2',
          [organization_id, id],
        );
  return { type, id, name: found?.name ?? '' };
}
