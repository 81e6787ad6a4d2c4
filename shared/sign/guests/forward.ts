import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { putInPlace } from '../life/replace.ts';
import { mailTo } from '../mails/queue.ts';
import { entryOf } from './entry.ts';
import { lockForGuest, ownSigner } from './locked.ts';
import type { ForwardInput } from './record.ts';
import type { Guest } from './seen.ts';

/**
 * Passes a document on to somebody who signs in the guest's place: this link is dead, the other one is mailed, what was filled in is
 * cleared, and the sender is told. Errors: `not_found`, those of `requireStanding`, `forward_not_allowed`.
 */
export async function forwardDocument(
  work: Work,
  guest: Guest,
  { name, email }: ForwardInput,
): Promise<void> {
  const { stored, seen } = await lockForGuest(work, guest, 'act');
  if (!stored.document.allow_forward) throw new Failure('forward_not_allowed');
  const draft = draftOf(stored);
  const signer = ownSigner(draft, seen);
  const before = ownSigner(stored, seen);
  const told = entryOf(guest, before, 'forwarded', {});
  await putInPlace(work, draft, { signer, person: { name, email }, told });
  await mailTo(work, draft.document, {
    kind: 'forward',
    to: 'sender',
    told: { name: before.name, email: before.email, to_name: name, to_email: email },
  });
  documentChanged(work, stored, draft);
}
