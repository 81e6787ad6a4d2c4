import type { Work } from '../../kernel/work.ts';
import type { RecordRef } from '../../platform/bookkeeping.ts';
import { type Books, booking } from './booking.ts';
import type { Released } from './offsets.ts';
import type { LockSources, Source } from './source.ts';

/** The entry that is replaced. */
type Was = { date: string; reference: string | null };

/** What is booked of a record in place of an entry that is taken back; null: on its own day, where no entry stands. */
type RenewedSource = (was: Was | null) => Source;

/** What is booked in place of entries that are taken back, by the record whose entry each of them was. */
export async function renewedSources(
  work: Work,
  { reduced, beside, whole }: Pick<Released, 'reduced' | 'beside'> & { whole: readonly RecordRef[] },
  lock: LockSources,
): Promise<Map<string, RenewedSource>> {
  const renewed = new Map<string, RenewedSource>();
  for (const left of reduced) renewed.set(left.id, (was) => stillSetOff(left, was!));
  for (const [records, part] of [
    [beside, 'bookBeside'],
    [whole, 'book'],
  ] as const) {
    for (const [id, source] of await lock(work, records)) {
      renewed.set(id, (was) => ({ ...source, date: was?.date ?? source.date, book: source[part]! }));
    }
  }
  return renewed;
}

/** What the payment of one side alone sets off, when the one that made the entry is gone with its fee and tax withheld. */
function stillSetOff(
  { type, id, company_id, amount }: Released['reduced'][number],
  { date, reference }: Was,
): Source {
  return {
    type: type as Source['type'],
    id,
    title: { ja: '相殺', en: 'Set-off of' },
    number: reference,
    status: null,
    date,
    book: (books: Books) =>
      booking(
        {
          date,
          company_id,
          parts: [
            { place: 'payable', side: 'debit', amount, tax_category: 'O' },
            { place: 'receivable', side: 'credit', amount, tax_category: 'O' },
          ],
        },
        books,
      ),
  };
}
