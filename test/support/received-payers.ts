import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { BOOK_YEARS } from './book-years.ts';
import type { Reply } from './client.ts';
import { type Buyer, newBuyer } from './received.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A buyer that keeps books: the chart, and the years in which documents of any test fall. */
export type Payer = Buyer & {
  /** An approved invoice of 110,000 yen unless said otherwise. */
  approved(fields?: Record<string, unknown>): Promise<Shown>;
  /** Tries to pay an invoice. */
  pay(id: string, body?: Record<string, unknown>): Promise<Reply>;
  /** The entries of a record, oldest first. */
  entriesOf(id: string): Promise<Shown[]>;
  /** What the posted entries of an account come to, debit less credit; of a company where one is named. */
  closing(code: string, company_id?: string): Promise<number>;
};

/** An account that transfers go to. */
export const bankAccount = {
  bank: 'みずほ銀行',
  bank_code: '0001',
  branch: '丸の内支店',
  branch_code: '004',
  number: '1234567',
  holder: '株式会社港文具',
  holder_kana: 'カ）ミナトブング',
};

/** An organization whose received invoices and payments make entries as `auto_journal` says. */
export async function newPayer(
  app: TestApp,
  auto_journal: 'off' | 'draft' | 'post',
  choice: Parameters<TestApp['actor']>[0] = {},
): Promise<Payer> {
  const buyer = await newBuyer(app, choice);
  const done = (reply: Reply) => assert.ok(reply.status < 300, reply.text);
  done(await buyer.post('/accounting/accounts/seed'));
  for (const year of BOOK_YEARS) {
    const [start_date, end_date] = [`${year}-01-01`, `${year}-12-31`];
    done(await buyer.post('/accounting/fiscal-years', { start_date, end_date }));
  }
  done(await buyer.patch('/accounting/settings', { auto_journal }));
  return {
    ...buyer,
    async approved(fields) {
      const { id } = await buyer.register('invoice', { registration_number: 'T7000012050002', ...fields });
      const reply = await buyer.act('invoice', id, 'approve', { confirm_bank_account: true });
      done(reply);
      return reply.body.received_invoice;
    },
    pay: (id, body) => buyer.act('invoice', id, 'mark-paid', body),
    async entriesOf(id) {
      const reply = await buyer.get(`/accounting/journals?source_id=${id}&sort=created_at`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.data ?? reply.body.items;
    },
    async closing(code, company_id) {
      const of = company_id === undefined ? '' : `&company_id=${company_id}`;
      const moved = await Promise.all(
        BOOK_YEARS.map(async (year) => {
          const { body, status, text } = await buyer.get(
            `/accounting/reports/trial-balance?from=${year}-01-01&to=${year}-12-31${of}`,
          );
          assert.equal(status, 200, text);
          const row = body.report.rows.find((row: Shown) => row.code === code);
          return row ? row.debit - row.credit : 0;
        }),
      );
      return moved.reduce((sum, amount) => sum + amount, 0);
    },
  };
}
