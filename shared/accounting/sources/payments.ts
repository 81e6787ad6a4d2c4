import { type Booking, type Books, booking, type Part } from './booking.ts';
import type { Place } from './places.ts';

/** A payment of an invoice as its entry takes it, in whole yen. */
export type SourcePayment = {
  company_id: string;
  paid_on: string;
  /** What it settles: what came in, a fee that we bear, and what was withheld. */
  amount: number;
  method: 'bank_transfer' | 'cash' | 'card' | 'offset' | 'other';
  fee_amount: number;
  fee_borne_by: 'us' | 'customer' | null;
  withheld_amount: number;
};

/** Where money comes to; what is set off lessens what we owe. */
const places: Readonly<Record<SourcePayment['method'], Place>> = {
  bank_transfer: 'collected/bank',
  cash: 'collected/cash',
  card: 'collected/card',
  offset: 'payable',
  other: 'collected/bank',
};

/**
 * The entry of a payment: what came in, the fee that we bear and what was withheld, against what the customer owes. The
 * fee of a transfer has tax; that of a card is exempt, for the card company buys the claim.
 */
export function paymentEntry(payment: SourcePayment, books: Books): Booking {
  const { company_id, paid_on, amount, method, withheld_amount } = payment;
  const fee = payment.fee_borne_by === 'us' ? payment.fee_amount : 0;
  const received = amount - fee - withheld_amount;
  const fee_tax = method === 'card' ? { tax_category: 'PE' } : { tax_category: 'P10', auto_tax: true };
  const parts: Part[] = [
    { place: places[method], side: 'debit', amount: received, tax_category: 'O' },
    { place: 'fees', side: 'debit', amount: fee, ...fee_tax },
    { place: 'withheld', side: 'debit', amount: withheld_amount, tax_category: 'O' },
    { place: 'receivable', side: 'credit', amount, tax_category: 'O' },
  ];
  return booking({ date: paid_on, company_id, parts }, books);
}

/**
 * What a payment that sets off books beside an entry that has the set-off amount already: the fee that we bear and what was
 * withheld settle the claim, too.
 */
export function besideOffset(payment: SourcePayment, books: Books): Booking {
  const { fee_amount, fee_borne_by, withheld_amount } = payment;
  const amount = withheld_amount + (fee_borne_by === 'us' ? fee_amount : 0);
  return paymentEntry({ ...payment, amount }, books);
}
