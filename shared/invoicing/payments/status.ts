/** The statuses of an invoice that was approved and not cancelled. */
export type SettledStatus = 'approved' | 'sent' | 'partially_paid' | 'paid';

/** What an invoice comes to, in yen. A credit note counts with its own `amount_due`. */
export type Settlement = { amount_due: bigint; amount_paid: bigint; credited: bigint };

/** What is still to be paid, in yen; negative is what is owed back after a credit note of a paid invoice. */
export function balanceOf({ amount_due, amount_paid, credited }: Settlement): bigint {
  return amount_due - amount_paid - credited;
}

/**
 * The status that follows from the payments, after each of them, after the deletion of one and after a credit note.
 * Without payments it is what it was before the first one, also where credit notes alone leave no balance.
 */
export function statusByPayments({
  payments,
  balance,
  sent_at,
}: {
  payments: number;
  balance: bigint;
  sent_at: string | null;
}): SettledStatus {
  if (payments === 0) return sent_at === null ? 'approved' : 'sent';
  return balance > 0n ? 'partially_paid' : 'paid';
}
