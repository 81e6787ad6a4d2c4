import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { RecordRef } from '../../platform/bookkeeping.ts';
import type { SourceType } from '../journals/kinds.ts';
import type { Booking, Books } from './booking.ts';

/** A record that is locked, with what its entry needs of it. */
export type Source = {
  type: SourceType;
  id: string;
  /** What kind of record it is, in the description of the entry. */
  title: Text;
  number: string | null;
  /** The reference of the entry; the number where it does not say. */
  reference?: string | null;
  status: string | null;
  /** The day of the entry, which decides its year. */
  date: string;
  book: (books: Books) => Booking;
  /** Of a payment: what it books where another entry has what it sets off. */
  bookBeside?: (books: Books) => Booking;
};

/** By ID, the records that entries are made from, locked; without those that are not in the organization. */
export type LockSources = (work: Work, records: readonly RecordRef[]) => Promise<ReadonlyMap<string, Source>>;

/** Locks one record; null where it is not in the organization. */
export type LockSource = (work: Work, record: RecordRef) => Promise<Source | null>;

/** Locks records one after the other, each as `lock` does. */
export function oneByOne(lock: LockSource): LockSources {
  return async (work, records) => {
    const found = new Map<string, Source>();
    for (const record of records) {
      const source = await lock(work, record);
      if (source) found.set(record.id, source);
    }
    return found;
  };
}
