import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { firstBadSeq } from '../trail/chain.ts';
import { hash, TrailEvent } from '../trail/record.ts';
import type { VerifiedTrail } from './record.ts';

/** What a trail in a file says of itself. `seq`: the place of its last event. */
export type AttachedTrail = Omit<VerifiedTrail, 'matches_database'> & { document_id: string; seq: number };

const Attached = z.object({ document_id: id('doc'), head: hash(), events: z.array(TrailEvent).min(1) });

/** Reads the trail that is attached to a file, and computes each hash anew. Null for what is none. */
export function attachedTrail(text: string): AttachedTrail | null {
  try {
    const { document_id, head, events } = Attached.parse(JSON.parse(text));
    const last = events.at(-1)!;
    const isOf = last.hash === head && events.every((event) => event.document_id === document_id);
    const first_bad_seq = firstBadSeq(events);
    const ok = isOf && first_bad_seq === null;
    return { document_id, seq: last.seq, ok, length: events.length, head, first_bad_seq };
  } catch {
    // Neither JSON, nor a trail, nor what can be computed.
    return null;
  }
}
