import { todayIn } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import type { DocumentRow, SignerRow, StoredDocument } from '../documents/rows.ts';
import { type MailDraft, mailAll } from '../mails/queue.ts';
import type { Told } from '../mails/record.ts';
import { redrawnFiles, removeRedrawn } from '../redrawn/redrawn.ts';
import { isActing } from './turn.ts';

type Reason = NonNullable<DocumentRow['cancel_reason']>;

/** What becomes of signers who have not signed: one who declined keeps that. */
const ends = (signer: SignerRow) =>
  signer.status === 'waiting' || signer.status === 'notified' || signer.status === 'viewed';

/**
 * Makes a draft cancelled, with its open signers, and plans nothing any more; what was drawn for its guests goes. The caller adds to
 * the trail and keeps the draft.
 */
export async function endDocument(
  work: Work,
  { document, signers }: StoredDocument,
  reason: Reason,
  note: string | null,
): Promise<void> {
  document.status = 'cancelled';
  document.cancel_reason = reason;
  document.cancel_note = note;
  document.cancelled_at = work.now.toISOString();
  document.ended_on = todayIn(document.time_zone, work.now);
  document.warn_at = null;
  for (const signer of signers) {
    signer.next_reminder_at = null;
    if (ends(signer)) signer.status = reason === 'expired' ? 'expired' : 'cancelled';
  }
  removeRedrawn(work, document.id, await redrawnFiles(work, document.id));
}

/**
 * Tells those who had a mail that a document was cancelled by its sender, or declined: `decliner` is left out, and the sender is told
 * of them.
 */
export async function tellOfEnd(
  work: Work,
  { document, signers }: StoredDocument,
  { told, decliner }: { told: Told; decliner: SignerRow | null },
): Promise<void> {
  const kind = decliner ? 'decline' : 'cancel';
  const others = signers.filter(({ id, notified_at }) => notified_at !== null && id !== decliner?.id);
  const drafts: MailDraft[] = others.filter(isActing).map((to) => ({ kind, to, told }));
  await mailAll(work, document, decliner ? [{ kind, to: 'sender', told }, ...drafts] : drafts);
}

/** Ends a draft because a signer, whose row says so already, declined it; tells the others and the sender why. */
export async function endDeclined(work: Work, draft: StoredDocument, decliner: SignerRow): Promise<void> {
  const { name, email, decline_reason } = decliner;
  await endDocument(work, draft, 'declined', decline_reason);
  await tellOfEnd(work, draft, { decliner, told: { name, email, message: decline_reason } });
}
