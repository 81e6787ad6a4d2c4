import type { ReceivedPayment } from './record.ts';

/** An approved invoice with its payments, in yen. */
type Paid = {
  amount_due: number;
  payments: readonly Pick<ReceivedPayment, 'amount' | 'paid_on' | 'paid_at'>[];
};

/** What follows for an approved invoice from its payments: what is left, its status, and when the last one came. */
export function afterPayments({ amount_due, payments }: Paid) {
  const amount_paid = payments.reduce((sum, { amount }) => sum + amount, 0);
  const balance = amount_due - amount_paid;
  const isPaid = payments.length > 0 && balance === 0;
  const last = isPaid ? payments.reduce((one, other) => (one.paid_on > other.paid_on ? one : other)) : null;
  const status = payments.length === 0 ? 'approved' : isPaid ? 'paid' : 'partially_paid';
  return { amount_paid, balance, status, paid_on: last?.paid_on ?? null, paid_at: last?.paid_at ?? null };
}

/** What reaches the supplier of a payment, whichever way it goes: a fee of theirs is taken from it. */
export function transferredAmount({
  amount,
  fee_amount,
  fee_borne_by,
}: Pick<ReceivedPayment, 'amount' | 'fee_amount' | 'fee_borne_by'>): number {
  return fee_borne_by === 'supplier' ? amount - Math.sign(amount) * fee_amount : amount;
}
