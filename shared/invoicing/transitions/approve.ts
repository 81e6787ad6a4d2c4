import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import { lockNotesOf, requireWithinDelivered } from '../convert/within-delivered.ts';
import { contextOf } from '../documents/context.ts';
import { type DocumentRecord, invoiceFact } from '../documents/record.ts';
import { lockDocuments } from '../documents/rows.ts';
import { writeDocument } from '../documents/write.ts';
import { issueDocument } from '../issue.ts';
import { requireQualified } from '../qualified.ts';
import { lockFor, requireAction } from './lock-for.ts';
import type { DocumentAction } from './table.ts';

/** An invoice that is about to be approved, and the one that it replaces; both locked. */
export type Approval = { draft: DocumentRecord; replaced: DocumentRecord | null };

/**
 * Approves a draft: it is checked, numbered and frozen, and what it revises is cancelled in the same commit. Errors:
 * those of the table of transitions, `not_qualified`, `exceeds_open`, `has_payments` and `has_credit_notes` of what it
 * revises, and those of the books.
 */
export async function approveInvoice(
  work: Work,
  id: string,
  bookkeeping: Bookkeeping,
): Promise<DocumentRecord> {
  return approve(work, await lockToApprove(work, id, 'approve'), bookkeeping);
}

/** Locks an invoice, and the one that it replaces, in the order of their IDs. Errors: those of the table. */
export async function lockToApprove(work: Work, id: string, action: DocumentAction): Promise<Approval> {
  const [revises_id] = await Promise.all([revisedBy(work, id), lockNotesOf(work, id)]);
  if (revises_id === null) return { draft: await lockFor(work, 'invoice', id, action), replaced: null };
  const found = await lockDocuments(work, 'invoice', [id, revises_id]);
  const draft = found.find((one) => one.id === id);
  if (!draft) return { draft: await lockFor(work, 'invoice', id, action), replaced: null };
  work.precondition(draft);
  await requireAction(work, draft, action);
  return { draft, replaced: found.find((one) => one.id === revises_id) ?? null };
}

/** What an invoice replaces is said when it is made and never changes. */
async function revisedBy(work: Work, id: string): Promise<string | null> {
  const [row] = await work.connection.query<{ revises_id: string | null }>(
    `SELECT revises_id FROM invoicing_documents WHERE organization_id = $1 AND kind = 'invoice' AND id = $2`,
    [work.organization_id, id],
  );
  return row?.revises_id ?? null;
}

/** Approves a locked draft. Errors: `not_qualified`, `exceeds_open`, `has_payments`, `has_credit_notes`. */
export async function approve(
  work: Work,
  { draft, replaced }: Approval,
  bookkeeping: Bookkeeping,
): Promise<DocumentRecord> {
  const context = await contextOf(work);
  const { settings } = context;
  // While a revision was open, other invoices may have taken what it was raised by.
  await requireWithinDelivered(work, draft);
  if (settings.issuer_registration_number !== null) {
    await requireQualified(work, {
      ...draft,
      issuer_registration_number: settings.issuer_registration_number,
    });
  }
  const changes = {
    status: 'approved',
    approved_at: work.now.toISOString(),
    approved_by: work.actor.user_id,
  };
  const approved = await issueDocument(work, draft, changes, invoiceFact('invoice.approved'));
  const booked = [{ type: 'invoice', id: approved.id }];
  if (!replaced || replaced.status === 'cancelled') {
    await bookkeeping.keep(work, { booked });
    return approved;
  }
  const reason = REPLACED[settings.locale](approved.number!);
  await cancelLocked(work, replaced, reason);
  await bookkeeping.keep(work, { booked, taken_back: [{ type: 'invoice', id: replaced.id, reason }] });
  return approved;
}

const REPLACED = {
  ja: (number: string) => `${number} に差し替え`,
  en: (number: string) => `Replaced by ${number}`,
};

/**
 * Cancels an approved or sent invoice; it keeps its number. Errors: those of the table of transitions, `has_payments`
 * and `has_credit_notes` among them, and those of the books.
 */
export async function cancelInvoice(
  work: Work,
  id: string,
  { reason, posting_date }: { reason: string; posting_date?: string | undefined },
  bookkeeping: Bookkeeping,
): Promise<DocumentRecord> {
  const cancelled = await cancelLocked(work, await lockFor(work, 'invoice', id, 'cancel'), reason);
  await bookkeeping.keep(work, { taken_back: [{ type: 'invoice', id, reason, posting_date }] });
  return cancelled;
}

function cancelLocked(work: Work, before: DocumentRecord, cancel_reason: string): Promise<DocumentRecord> {
  const changes = { status: 'cancelled', cancelled_at: work.now.toISOString(), cancel_reason };
  return writeDocument(work, before, { ...before, ...changes }, invoiceFact('invoice.cancelled'));
}
