import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import type { DocumentKind } from '../documents/kinds.ts';
import { type DocumentRecord, invoiceFact } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { issueDocument } from '../issue.ts';
import { approve, lockToApprove } from './approve.ts';
import { lockFor } from './lock-for.ts';

/**
 * Marks a quotation or a purchase order as sent, which issues it. Errors: those of the table of transitions.
 */
export async function sendDocument(
  work: Work,
  kind: Extract<DocumentKind, 'quotation' | 'purchase_order'>,
  id: string,
): Promise<DocumentRecord> {
  return issueAsSent(work, await lockFor(work, kind, id, 'send'));
}

/** Issues a locked draft whose kind is issued by sending it. */
function issueAsSent(work: Work, draft: DocumentRecord): Promise<DocumentRecord> {
  return issueDocument(work, draft, { status: 'sent', sent_at: work.now.toISOString() });
}

/**
 * Marks an invoice as sent; a draft, where the settings allow that, is approved first in the same commit. Errors: those
 * of the table of transitions and of approving.
 */
export async function sendInvoice(work: Work, id: string, bookkeeping: Bookkeeping): Promise<DocumentRecord> {
  const approval = await lockToApprove(work, id, 'send');
  const { draft } = approval;
  return invoiceSent(work, draft.status === 'draft' ? await approve(work, approval, bookkeeping) : draft);
}

/**
 * Notes that a locked invoice was sent, if it was not before: its status follows where nothing was paid yet, and
 * `invoice.sent` is emitted.
 */
export async function invoiceSent(work: Work, before: DocumentRecord): Promise<DocumentRecord> {
  if (before.sent_at !== null) return before;
  const status = before.status === 'approved' ? 'sent' : before.status;
  const after = { ...before, status, sent_at: work.now.toISOString() };
  return writeDocument(work, before, after, invoiceFact('invoice.sent'));
}

/** Hands the goods over: the note is issued. Errors: those of the table of transitions. */
export async function deliver(work: Work, id: string): Promise<DocumentRecord> {
  const note = await lockFor(work, 'delivery_note', id, 'deliver');
  return issueDocument(work, note, { status: 'delivered', delivered_at: work.now.toISOString() });
}
