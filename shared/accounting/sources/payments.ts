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
  /** Of a deposit allocated after its making: whose the advance is that it comes out of, as the deposit's entry says. */
  advance?: { company_id: string | null } | undefined;
};

/** Where money comes to; what is set off lessens what we owe. */
const places = {
  bank_transfer: 'collected/bank',
  cash: 'collected/cash',
  card: 'collected/card',
  offset: 'payable',
  other: 'collected/bank',
} as const satisfies Readonly<Record<SourcePayment['method'], Place>>;

/**
 * The entry of a payment: what came in, the fee that we bear and what was withheld, against what the customer owes. The
 * fee of a transfer has tax; that of a card is exempt, for the card company buys the claim.
 */
export function paymentEntry(payment: SourcePayment, books: Books): Booking {
  const { company_id, paid_on, amount, method, withheld_amount, advance } = payment;
  const fee = payment.fee_borne_by === 'us' ? payment.fee_amount : 0;
  const received = amount - fee - withheld_amount;
  const fee_tax = method === 'card' ? { tax_category: 'PE' } : { tax_category: 'P10', auto_tax: true };
  const parts: Part[] = [
    advance
      ? { place: 'advances', side: 'debit', amount: received, tax_category: 'O', ...advance }
      : { place: places[method], side: 'debit', amount: received, tax_category: 'O' },
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

/** A deposit as its entry takes it, or a refund of one, in whole yen. */
export type SourceDeposit = {
  company_id: string | null;
  day: string;
  /** Of a deposit what its making left unallocated, of a refund what is paid back. */
  amount: number;
  method: SourcePayment['method'];
};

/** The entry of a deposit: what came in before it is known for what. */
export function depositEntry({ company_id, day, amount, method }: SourceDeposit, books: Books): Booking {
  const parts: Part[] = [
    { place: places[method], side: 'debit', amount, tax_category: 'O' },
    { place: 'advances', side: 'credit', amount, tax_category: 'O' },
  ];
  return booking({ date: day, company_id, parts }, books);
}

/** The entry of a refund of a deposit: what came in too much leaves again. */
export function refundEntry({ company_id, day, amount, method }: SourceDeposit, books: Books): Booking {
  const parts: Part[] = [
    { place: 'advances', side: 'debit', amount, tax_category: 'O' },
    { place: places[method], side: 'credit', amount, tax_category: 'O' },
  ];
  return booking({ date: day, company_id, parts }, books);
}
