import type { Work } from '../../kernel/work.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { lockFor } from './lock-for.ts';

/** The customer takes a quotation; past its validity only with `force`. Errors: those of the table of transitions. */
export async function acceptQuotation(work: Work, id: string, force: boolean): Promise<DocumentRecord> {
  return accepted(work, await lockFor(work, 'quotation', id, 'accept', { force }));
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
