import type { Work } from '../../kernel/work.ts';
import { type DocumentRecord, documentFacts, invoiceFact } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { balanceOf, statusByPayments } from './status.ts';

/** What was paid of an invoice, and when the last of it came. */
export type Paid = { amount: bigint; paid_at: string };

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
  const after = {
    ...invoice,
    amount_paid,
    credited,
    balance,
    status,
    paid_at: isPaid ? latest(payments) : null,
  };
  const becomesPaid = isPaid && invoice.status !== 'paid';
  return writeDocument(
    work,
    invoice,
    after,
    becomesPaid ? invoiceFact('invoice.paid') : documentFacts.invoice.updated,
  );
}

function latest(payments: readonly Paid[]): string {
  return payments.map(({ paid_at }) => paid_at).reduce((one, other) => (one > other ? one : other));
}
