import { invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { documentChanged } from '../documents/write.ts';
import { type AcceptedLine, acceptedLines } from './accepted.ts';
import { lockFor, lockToDecide, requireAction } from './lock-for.ts';

/** What an approval says of a document of any kind. */
export function approvedBy({ now, actor }: Work) {
  return { status: 'approved', approved_at: now.toISOString(), approved_by: actor.user_id };
}

/**
 * Approves a quotation; past its validity only with `force`. Errors: `incomplete`, those of the table of transitions.
 */
export async function approveQuotation(work: Work, id: string, force: boolean): Promise<ReceivedDocument> {
  const before = await lockToDecide(work, 'quotation', id, 'approve');
  await requireAction(work, before, 'approve', { force });
  return documentChanged(work, before, { ...before, ...approvedBy(work) });
}

/** Approves a purchase order of a customer. Errors: `incomplete`, those of the table of transitions. */
export async function approvePurchaseOrder(work: Work, id: string): Promise<ReceivedDocument> {
  const before = await lockToDecide(work, 'purchase_order', id, 'approve');
  return documentChanged(work, before, { ...before, ...approvedBy(work) });
}

/**
 * Confirms what of a delivery note was accepted: all of it, but for the lines that the body names. Errors: `incomplete`,
 * those of the table of transitions and of `acceptedLines`.
 */
export async function confirmDeliveryNote(
  work: Work,
  id: string,
  said: readonly AcceptedLine[],
): Promise<ReceivedDocument> {
  const before = await lockToDecide(work, 'delivery_note', id, 'confirm');
  const lines = acceptedLines(before.lines, said);
  const changes = { status: 'confirmed', confirmed_at: work.now.toISOString() };
  return documentChanged(work, before, { ...before, ...changes, lines });
}

/**
 * Notes that a purchase order of a customer was fulfilled, today unless said. Errors: those of the table of transitions,
 * `validation_failed` for a day ahead.
 */
export async function fulfillPurchaseOrder(
  work: Work,
  id: string,
  fulfilled_on?: string,
): Promise<ReceivedDocument> {
  const before = await lockFor(work, 'purchase_order', id, 'fulfill');
  const { today } = await receivedContext(work);
  const day = fulfilled_on ?? today;
  if (day > today) {
    const message = { en: `${day} lies ahead`, ja: `${day} は未来の日付です` };
    throw invalid('/fulfilled_on', 'future_date', message);
  }
  const changes = { status: 'fulfilled', fulfilled_on: day, fulfilled_at: work.now.toISOString() };
  return documentChanged(work, before, { ...before, ...changes });
}

/**
 * Rejects a pending document, which then counts as no duplicate of others any more. Errors: those of the table of
 * transitions.
 */
export async function rejectDocument(
  work: Work,
  kind: ReceivedKind,
  id: string,
  reject_reason: string | null,
): Promise<ReceivedDocument> {
  const before = await lockFor(work, kind, id, 'reject');
  const changes = { status: 'rejected', rejected_at: work.now.toISOString(), reject_reason };
  return documentChanged(work, before, { ...before, ...changes });
}
