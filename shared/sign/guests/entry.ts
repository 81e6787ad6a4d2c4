import { guestOf, type TrailEntry } from '../trail/add.ts';
import type { Guest } from './seen.ts';

/** What a guest did, as the trail tells it. */
export function entryOf(
  { user_agent }: Pick<Guest, 'user_agent'>,
  signer: { id: string; name: string | null },
  type: TrailEntry['type'],
  data: Record<string, unknown>,
): TrailEntry {
  return { type, actor: guestOf(signer), signer_id: signer.id, data, user_agent };
}
