import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { StoredDocument } from '../documents/rows.ts';
import type { DueDocuments } from '../life/due.ts';
import { isActing, isAsked } from '../life/turn.ts';
import { claim } from './claims.ts';
import { remindJob } from './jobs.ts';
import { planReminders } from './plan.ts';

/**
 * Reminders whose time has come. Each is claimed by its number and handed to the queue; the next one follows from today. However
 * many were missed while nothing worked, one is sent.
 */
export const dueReminders: DueDocuments = {
  find: `SELECT organization_id, document_id, next_reminder_at AS due_at FROM sign_signers
          WHERE next_reminder_at <= $1`,
  fault: 'documents could not be reminded of',
  act: remind,
};

async function remind(work: Work, stored: StoredDocument): Promise<boolean> {
  const now = work.now.toISOString();
  const draft = draftOf(stored);
  const due = draft.signers.filter(
    ({ next_reminder_at }) => next_reminder_at !== null && next_reminder_at <= now,
  );
  if (due.length === 0) return false;
  const { expires_at, status } = draft.document;
  const isOpen = status === 'sent' && (expires_at === null || expires_at > now);
  const claimed = due.filter((signer) => isOpen && isActing(signer) && isAsked(signer));
  const numbers = claimed.map(({ id, reminders_sent }) => ({ id, number: reminders_sent + 1 }));
  claim(
    work,
    claimed.map(({ id, reminders_sent, next_reminder_at }) => {
      return { signer_id: id, kind: 'reminder', number: reminders_sent + 1, due_at: next_reminder_at! };
    }),
  );
  for (const signer of claimed) {
    Object.assign(signer, { reminders_sent: signer.reminders_sent + 1, reminded_at: now });
  }
  await planReminders(work, { document: draft.document, signers: due });
  documentChanged(work, stored, draft);
  if (numbers.length > 0) {
    work.enqueue(remindJob, {
      document_id: draft.document.id,
      kind: 'reminder',
      signers: numbers,
      job_id: null,
    });
  }
  return numbers.length > 0;
}
