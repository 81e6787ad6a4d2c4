import { failures, roleGrants, shownCode } from '../../shared/domains.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Actor, Reader } from '../../shared/kernel/reader.ts';
import { allows, type Scope } from '../../shared/kernel/scope.ts';
import { presentRights } from '../../shared/platform/access/present-rights.ts';
import type { Outcome } from '../../shared/platform/batches/record.ts';

/** Who asked for a batch or for files, as it is kept until they are done. */
type Asking = Pick<Actor, 'type' | 'id' | 'user_id'>;

/** Who asked, with what they may do by now; or the code of the failure that a call of theirs would meet by now. */
export type Present = { actor: Actor } | { refused: 'invalid_credentials' | 'insufficient_scope' };

/** Looks up who asked anew, as every call looks up who sends it. */
export async function presentActor(reader: Reader, asking: Asking, scope: Scope): Promise<Present> {
  const rights = await presentRights(reader, asking, roleGrants);
  if (!rights) return { refused: 'invalid_credentials' };
  if (!allows(rights.grants, scope)) return { refused: 'insufficient_scope' };
  return { actor: { ...asking, ...rights } };
}

/** What comes of a record where its single call would be refused. */
export function refusalOf(code: FailureCode): Outcome {
  return { status: failures[code].status, code: shownCode(code) };
}
