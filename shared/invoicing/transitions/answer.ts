import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { contextOf } from '../documents/context.ts';
import { isExpired } from '../documents/due.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { lockFor } from './lock-for.ts';

/**
 * The customer takes a quotation; past its validity only when that is meant. Errors: those of the table of
 * transitions, `expired`.
 */
export async function acceptQuotation(work: Work, id: string, force: boolean): Promise<DocumentRecord> {
  const quotation = await lockFor(work, 'quotation', id, 'accept');
  const { today } = await contextOf(work);
  if (isExpired(quotation, today) && !force) {
    throw new Failure('quotation_expired', {
      detail: `It was valid until ${quotation.due_date}; send "force": true to accept it all the same`,
      members: { due_date: quotation.due_date },
    });
  }
  return accepted(work, quotation);
}

/** The supplier takes a purchase order. Errors: those of the table of transitions. */
export async function acceptPurchaseOrder(work: Work, id: string): Promise<DocumentRecord> {
  return accepted(work, await lockFor(work, 'purchase_order', id, 'accept'));
}

function accepted(work: Work, before: DocumentRecord): Promise<DocumentRecord> {
  const changes = { status: 'accepted', accepted_at: work.now.toISOString() };
  return writeDocument(work, before, { ...before, ...changes });
}

/** The customer declines a quotation. Errors: those of the table of transitions. */
export async function rejectQuotation(
  work: Work,
  id: string,
  reject_reason: string | null,
): Promise<DocumentRecord> {
  const before = await lockFor(work, 'quotation', id, 'reject');
  const changes = { status: 'rejected', rejected_at: work.now.toISOString(), reject_reason };
  return writeDocument(work, before, { ...before, ...changes });
}
