import type { Work } from '../../kernel/work.ts';
import { type DocumentRecord, documentFacts, invoiceFact } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { balanceOf, statusByPayments } from './status.ts';

/** What was paid of an invoice, and when the last of it came. */
export type Paid = { amount: bigint; paid_on: string; paid_at: string };

/**
 * Writes what a locked invoice comes to with these payments and credits: its balance, and the status that follows.
 * It is `invoice.paid` when it becomes paid, else `invoice.updated`. Answers the invoice as it is now.
 */
export function settle(
  work: Work,
  invoice: DocumentRecord,
  { payments, credited }: { payments: readonly Paid[]; credited: bigint },
): Promise<DocumentRecord> {
  const amount_paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const balance = balanceOf({ amount_due: invoice.amount_due, amount_paid, credited });
  const status = statusByPayments({ payments: payments.length, balance, sent_at: invoice.sent_at });
  const isPaid = status === 'paid';
  const { paid_on, paid_at } = isPaid ? lastOf(payments) : { paid_on: null, paid_at: null };
  const after = {
    ...invoice,
    amount_paid,
    credited,
    balance,
    status,
    paid_on,
    paid_at,
  };
  const becomesPaid = isPaid && invoice.status !== 'paid';
  return writeDocument(
    work,
    invoice,
    after,
    becomesPaid ? invoiceFact('invoice.paid') : documentFacts.invoice.updated,
  );
}

function lastOf(payments: readonly Paid[]): Paid {
  const moment = ({ paid_on, paid_at }: Paid) => `${paid_on} ${paid_at}`;
  return payments.reduce((one, other) => (moment(one) > moment(other) ? one : other));
}
