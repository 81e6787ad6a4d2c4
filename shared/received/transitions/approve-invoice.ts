import type { Work } from '../../kernel/work.ts';
import type { InvoiceApproval } from '../actions/bodies.ts';
import { derivedAmounts } from '../amounts/derive.ts';
import { receivedContext } from '../context.ts';
import { withJournals } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { documentChanged } from '../documents/write.ts';
import { postingDay, receivedBooks } from '../journals/books.ts';
import { lockedBehindOrder } from '../match/current.ts';
import { approvedBy } from './decide.ts';
import { otherAccountOf } from './last-account.ts';
import { lockToDecide, requireAction } from './lock-for.ts';

/**
 * Approves an invoice and books it. What it bills is compared anew with the order, which stays locked: of two invoices for
 * the same goods the second one sees the first. Locks are taken in this order: its order, the invoice, the account of its
 * company, the books. Errors, in their order: those of the table of transitions, `incomplete`, `self_approval`,
 * `match_failed`, `bank_account_changed`, those of the books.
 */
export async function approveInvoice(
  work: Work,
  id: string,
  { posting_date, override_reason, ...said }: InvoiceApproval,
): Promise<ReceivedDocument> {
  const before = await lockedBehindOrder(work, id, () => lockToDecide(work, 'invoice', id, 'approve'));
  const { settings, today } = await receivedContext(work);
  const { match } = await derivedAmounts(work, before);
  const is_mismatch = settings.match_policy === 'block' && match.status === 'mismatch';
  const other_account_of = await otherAccountOf(work, before);
  await requireAction(work, before, 'approve', { ...said, is_mismatch, other_account_of });
  const changes = {
    ...approvedBy(work),
    posting_date: posting_date ?? (await postingDay(work, before, today)),
  };
  const noted = {
    ...(said.override_match && { override_reason }),
    ...(other_account_of !== null && { confirm_bank_account: true }),
  };
  const approved = await documentChanged(work, before, { ...before, ...changes }, { noted });
  await receivedBooks.keep(work, { booked: [{ type: 'received_invoice', id }] });
  return withJournals(work, approved);
}
