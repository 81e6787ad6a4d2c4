import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { BOOK_YEARS } from '../../support/book-years.ts';
import { type BookedSeller, newBookedSeller } from '../../support/booked-seller.ts';
import { persistently } from '../../support/books.ts';
import type { Reply } from '../../support/client.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const step = fc.record({
  action: fc.constantFrom('approve', 'pay', 'delete payment', 'credit', 'cancel', 'revise'),
  which: fc.nat(20),
  amount: fc.integer({ min: 1, max: 12_080 }),
  method: fc.constantFrom('bank_transfer', 'cash', 'card', 'other'),
  fee: fc.constantFrom(0, 1, 330),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does a step to some invoice, if its state takes it: what is refused is refused by both sides. */
async function take(seller: BookedSeller, invoices: string[], { action, which, amount, method, fee }: Step) {
  const send = (path: string, body?: object) => persistently(() => seller.post(path, body));
  const done = (reply: Reply) =>
    assert.ok(reply.status < 300 || [404, 409, 422].includes(reply.status), reply.text);
  const id = invoices[which % Math.max(invoices.length, 1)];
  if (id === undefined || action === 'approve') {
    const draft = await seller.draft('invoice', {
      line_items: [{ description: '品', quantity: '1', unit_price: `${amount}` }],
    });
    invoices.push(draft.id);
    return done(await send(`/invoices/${draft.id}/approve`));
  }
  if (action === 'pay') {
    return done(
      await send(`/invoices/${id}/payments`, {
        amount: Math.max(amount, fee),
        paid_on: '2026-05-01',
        method,
        fee_amount: fee,
      }),
    );
  }
  if (action === 'delete payment') {
    const { body } = await seller.get(`/invoices/${id}/payments`);
    const [payment] = body.data ?? body.items;
    if (payment) done(await persistently(() => seller.delete(`/invoices/${id}/payments/${payment.id}`)));
    return;
  }
  if (action === 'credit')
    return done(await send(`/invoices/${id}/credit-notes`, { reason: '返品', issue_date: '2026-05-02' }));
  if (action === 'cancel') return done(await send(`/invoices/${id}/cancel`, { reason: '誤り' }));
  if (action === 'revise') {
    const revision = await send(`/invoices/${id}/revise`);
    if (revision.status !== 201) return;
    invoices.push(revision.body.invoice.id);
    return done(await send(`/invoices/${revision.body.invoice.id}/approve`));
  }
}

test('the receivable of a company is the sum of the balances of its invoices, whatever is done to them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const seller = await newBookedSeller(app, 'post');
      const invoices: string[] = [];
      // Two at a time, as two people work.
      for (let n = 0; n < steps.length; n += 2) {
        await Promise.all(steps.slice(n, n + 2).map((each) => take(seller, invoices, each)));
      }
      const balances = await Promise.all(
        invoices.map(async (id) => {
          const { status, balance } = await seller.read('invoice', id);
          return status === 'draft' || status === 'cancelled' ? 0 : balance;
        }),
      );
      const { company } = seller;
      const last = BOOK_YEARS.at(-1);
      const reply = await seller.get(
        `/accounting/reports/trial-balance?from=${last}-01-01&to=${last}-12-31&company_id=${company.id}`,
      );
      assert.equal(reply.status, 200, reply.text);
      const { rows, balanced } = reply.body.report;
      const receivable = rows.find(({ code }: Shown) => code === '1220')?.closing ?? 0;
      assert.equal(
        receivable,
        balances.reduce((sum, balance) => sum + balance, 0),
      );
      assert.equal(balanced, true);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
