import { Failure } from '../../kernel/failure.ts';
import type { DocumentRow } from '../documents/rows.ts';

/** Refuses what is for signers of a document whose time is over, also before the sweep has cancelled it. Errors: `signing_expired`. */
export function requireTime({ expires_at }: Pick<DocumentRow, 'expires_at'>, now: Date): void {
  if (expires_at !== null && expires_at <= now.toISOString()) throw new Failure('signing_expired');
}
