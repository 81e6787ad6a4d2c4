import type { Failure } from '../kernel/failure.ts';
import type { Work } from '../kernel/work.ts';

/** A record that has an entry in the books: its type, in the words of the books, and its ID. */
export type RecordRef = { type: string; id: string };

/** What a payment set off with a company: the day as YYYY-MM-DD, the amount in yen. */
export type Offset = {
  company_id: string;
  day: string;
  /** Without a fee of ours and a tax withheld, which the company of the other side knows nothing of. */
  amount: number;
  /** Whether the payment has such a fee or tax, which is booked beside what is set off. */
  has_more: boolean;
};

/** A record to be booked. A payment that sets off says so: what it sets off is booked once, with the payment on the other side. */
export type BookedRecord = RecordRef & { offset?: Offset | undefined };

/** A record whose entry is taken back, with the reason for people. */
export type TakenBack = RecordRef & {
  reason: string;
  /** The day that the caller wants it taken back on. */
  posting_date?: string | undefined;
  /** What it set off. */
  offset?: Offset | undefined;
};

/** A record that stands and whose entry is to be as the record is now, with the reason for people. */
export type Renewed = RecordRef & { reason: string };

/** What one operation does to the books: all of it together, since the locks of the books are taken once, in their order. */
export type BooksChange = {
  booked?: readonly BookedRecord[];
  taken_back?: readonly TakenBack[];
  /** Their posted entries get a mirror and a new entry on its day; drafts are replaced. Without one they are booked. */
  renewed?: readonly Renewed[];
  /**
   * Hears of a record that is booked or taken back and whose entry is refused, which is left out then; where it is absent the
   * whole operation is refused. For operations on many records, each of which is refused by itself.
   */
  refused?: (record: RecordRef, failure: Failure) => void;
};

/**
 * Keeps the books of what other domains do, in the transactions of their operations. The domain of the books hands it in;
 * those below it call it with their own records locked and written.
 */
export type Bookkeeping = {
  /** Errors: what refuses an entry refuses the operation. `bookkeepingRefusals` names the codes. */
  keep(work: Work, change: BooksChange): Promise<void>;
};

/** The codes with which books refuse an operation. */
export const bookkeepingRefusals = [
  'no_fiscal_year',
  'fiscal_year_closed',
  'period_locked',
  'account_map_incomplete',
  'inactive_account',
  'no_tax_category',
  'amount_too_large',
  'no_open_day',
] as const;
