import type { Work } from '../../kernel/work.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { mailAll } from '../mails/queue.ts';
import { enqueueRedraw } from '../redrawn/jobs.ts';
import { planReminders } from '../reminders/plan.ts';
import { enqueueSeal } from '../sealing/jobs.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';
import { groupInTurn, toBeAsked } from './turn.ts';

/**
 * Asks those whose turn has come and who have not been asked: of the lowest group in which somebody has not signed. Changes the
 * rows of the draft, adds to the trail, and asks for the mails; the caller keeps the draft by `documentChanged`.
 */
export async function notifyGroup(work: Work, draft: StoredDocument): Promise<void> {
  await ask(work, draft, toBeAsked(draft.signers));
}

/** Asks signers of a draft, also those who were asked before they were replaced. */
export async function ask(work: Work, draft: StoredDocument, asked: readonly SignerRow[]): Promise<void> {
  if (asked.length === 0) return;
  for (const signer of asked) {
    signer.status = 'notified';
    signer.notified_at = work.now.toISOString();
    signer.delivery = 'queued';
    signer.delivery_error = null;
  }
  await planReminders(work, draft);
  addToTrail(
    work,
    draft.document,
    asked.map(({ id }) => ({ type: 'invited', actor: SYSTEM, signer_id: id })),
  );
  await mailAll(
    work,
    draft.document,
    asked.map((to) => ({ kind: 'invitation', to })),
  );
}

/**
 * What follows when a signer of a draft has signed: what guests see is drawn anew and the next group is asked, or after the last signature the sealing begins. The
 * caller has written `signed` into the trail, and keeps the draft by `documentChanged`.
 */
export async function signingGoesOn(work: Work, draft: StoredDocument): Promise<void> {
  if (groupInTurn(draft.signers) !== null) {
    enqueueRedraw(work, draft.document);
    return notifyGroup(work, draft);
  }
  addToTrail(work, draft.document, [{ type: 'completed', actor: SYSTEM }]);
  draft.document.sealing_status = 'pending';
  draft.document.sealing_since = work.now.toISOString();
  enqueueSeal(work, draft.document);
}
