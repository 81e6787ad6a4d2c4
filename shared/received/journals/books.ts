import { firstOpenDay } from '../../accounting/journals/calendar.ts';
import { booksOf } from '../../accounting/sources/keep.ts';
import { oneByOne } from '../../accounting/sources/source.ts';
import type { Work } from '../../kernel/work.ts';
import { lockReceivedSource } from './source.ts';

/** The books of received invoices (`received_invoice`) and their payments (`received_payment`). */
export const receivedBooks = booksOf(oneByOne(lockReceivedSource));

/** What the day of an entry is taken from: days as YYYY-MM-DD, of a period its last one. */
type Dated = { transaction_date: string | null; transaction_to: string | null; received_on: string };

/**
 * The day that the entry of a received invoice is booked on unless the caller says one: that of the transaction, if it is
 * open to the caller, else that of its coming, if that is, else today.
 */
export async function postingDay(
  work: Work,
  { transaction_date, transaction_to, received_on }: Dated,
  today: string,
): Promise<string> {
  const transaction = transaction_to ?? transaction_date;
  const days = transaction === null ? [received_on] : [transaction, received_on];
  return (await firstOpenDay(work, days, 'received_invoice')) ?? today;
}
