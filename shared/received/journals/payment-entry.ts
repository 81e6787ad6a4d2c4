import { type Booking, type Books, booking, type Part } from '../../accounting/sources/booking.ts';
import type { ReceivedPayment } from '../payments/record.ts';

/** A payment of a received invoice as its entry takes it, in whole yen. */
export type SourceReceivedPayment = Pick<
  ReceivedPayment,
  'paid_on' | 'method' | 'fee_amount' | 'fee_borne_by'
> & {
  company_id: string | null;
  amount: number;
  /** How much of it pays for goods. */
  payable_amount: number;
};

/** What money leaves by; what is set off lessens what the company owes us. */
const places: Readonly<Record<ReceivedPayment['method'], Part['place']>> = {
  bank_transfer: 'paid/bank',
  cash: 'paid/cash',
  card: 'paid/card',
  offset: 'receivable',
  other: 'paid/bank',
};

/**
 * The entry of a payment: what was owed, and a fee that we bear, against what money left by. The company of the card is owed
 * what it paid, so that line names no supplier; its fee is exempt, that of a transfer has tax. Nothing is set off by a fee.
 */
export function receivedPaymentEntry(payment: SourceReceivedPayment, books: Books): Booking {
  const { company_id, paid_on, amount, payable_amount, method } = payment;
  const fee = payment.fee_borne_by === 'us' ? payment.fee_amount : 0;
  const fee_tax = method === 'card' ? { tax_category: 'PE' } : { tax_category: 'P10', auto_tax: true };
  const paid = (place: Part['place'], of: number): Part => {
    return {
      place,
      side: 'credit',
      amount: of,
      tax_category: 'O',
      ...(method === 'card' && { company_id: null }),
    };
  };
  const parts: Part[] = [
    { place: 'payable', side: 'debit', amount: payable_amount, tax_category: 'O' },
    { place: 'payable_other', side: 'debit', amount: amount - payable_amount, tax_category: 'O' },
    { place: 'fees', side: 'debit', amount: fee, ...fee_tax },
    ...(method === 'offset'
      ? [paid('receivable', amount), paid('paid/bank', fee)]
      : [paid(places[method], amount + fee)]),
  ];
  return booking({ date: paid_on, company_id, parts }, books);
}

/** What a payment that sets off books beside an entry that has the set-off amount already: a fee that we bear. */
export function besideReceivedOffset(payment: SourceReceivedPayment, books: Books): Booking {
  return receivedPaymentEntry({ ...payment, amount: 0, payable_amount: 0 }, books);
}
