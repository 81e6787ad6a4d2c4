import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { BOOK_YEARS } from './book-years.ts';
import type { Reply } from './client.ts';
import { newSeller, type Seller } from './documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A seller that keeps books: the chart, and the years 2025 to 2027, in which documents of any test fall. */
export type BookedSeller = Seller & {
  /** The entries of a record, oldest first. */
  entriesOf(id: string): Promise<Shown[]>;
};

/** An organization whose invoices and payments make entries as `auto_journal` says. */
export async function newBookedSeller(
  app: TestApp,
  auto_journal: 'off' | 'draft' | 'post',
): Promise<BookedSeller> {
  const seller = await newSeller(app);
  const done = (reply: Reply) => assert.ok(reply.status < 300, reply.text);
  done(await seller.post('/accounting/accounts/seed'));
  for (const year of BOOK_YEARS) {
    const [start_date, end_date] = [`${year}-01-01`, `${year}-12-31`];
    done(await seller.post('/accounting/fiscal-years', { start_date, end_date }));
  }
  done(await seller.patch('/accounting/settings', { auto_journal }));
  return {
    ...seller,
    async entriesOf(id) {
      const reply = await seller.get(`/accounting/journals?source_id=${id}&sort=created_at`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.data ?? reply.body.items;
    },
  };
}

/** The sides of an entry: codes with amounts, negative ones on the credit side. */
export function sidesOf({ lines }: { lines: Shown[] }): [string, number, string][] {
  return lines.map(({ account_code, debit, credit, tax_category }) => [
    account_code,
    debit - credit,
    tax_category,
  ]);
}
