import type { Work } from '../../kernel/work.ts';
import { announceSigner, documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { endDeclined } from '../life/ending.ts';
import { addToTrail } from '../trail/add.ts';
import { entryOf } from './entry.ts';
import { lockForGuest, ownSigner } from './locked.ts';
import type { Signing } from './record.ts';
import type { Guest } from './seen.ts';
import { shownTo } from './shown.ts';

/**
 * Declines to sign, which ends the document: the sender and who had a mail are told why. Errors: `not_found`, those of
 * `requireStanding`.
 */
export async function declineDocument(work: Work, guest: Guest, reason: string): Promise<Signing> {
  const { stored, seen } = await lockForGuest(work, guest, 'act');
  const draft = draftOf(stored);
  const signer = ownSigner(draft, seen);
  Object.assign(signer, { status: 'declined', decline_reason: reason, next_reminder_at: null });
  addToTrail(work, draft.document, [entryOf(guest, signer, 'declined', { reason })]);
  await endDeclined(work, draft, signer);
  const after = documentChanged(work, stored, draft, 'cancelled');
  announceSigner(work, 'sign.signer.declined', ownSigner(stored, seen), signer);
  const ended = { document_status: 'cancelled', cancel_reason: 'declined', status: 'declined' } as const;
  return shownTo({ ...seen, ...ended }, after, work.now);
}
