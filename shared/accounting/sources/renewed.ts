import type { Work } from '../../kernel/work.ts';
import { type Books, booking } from './booking.ts';
import type { LockSource, Source } from './entry.ts';
import type { Released } from './offsets.ts';

/** What is booked in place of entries that are taken back, by the record whose entry each of them was. */
export async function renewedSources(
  work: Work,
  { reduced, beside }: Pick<Released, 'reduced' | 'beside'>,
  lock: LockSource,
): Promise<Map<string, (was: { date: string; reference: string | null }) => Source>> {
  const renewed = new Map<string, (was: { date: string; reference: string | null }) => Source>();
  for (const left of reduced) renewed.set(left.id, (was) => stillSetOff(left, was));
  for (const record of beside) {
    const source = await lock(work, record);
    if (source) renewed.set(record.id, ({ date }) => ({ ...source, date, book: source.bookBeside! }));
  }
  return renewed;
}

/** What the payment of one side alone sets off, when the one that made the entry is gone with its fee and tax withheld. */
function stillSetOff(
  { type, id, company_id, amount }: Released['reduced'][number],
  { date, reference }: { date: string; reference: string | null },
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
