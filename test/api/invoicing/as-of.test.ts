import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ageingOf } from '../../../shared/invoicing/documents/due.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

/** In Tokyo it is the 15th already. */
const NOW = new Date('2026-06-14T20:00:00.000Z');

const app = await startApp({ now: () => NOW });

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

describe('what was open on a day', () => {
  let seller: Seller;
  /** Invoices that stand, and one that was cancelled since. */
  let invoices: Shown[];

  before(async () => {
    seller = await newSeller(app);
    const other = await seller.make('/crm/companies', { name: '別の会社' });
    const make = (issue_date: string, due_date: string, company_id = seller.company.id) =>
      seller.after('invoice', ['approve'], { issue_date, due_date, company_id });
    const pay = (invoice: Shown, paid_on: string, amount?: number) =>
      seller.act('invoice', invoice.id, 'mark-paid', { paid_on, ...(amount && { amount }) });
    const open = await make('2025-12-31', '2026-01-31');
    const paid = await make('2026-01-31', '2026-02-28');
    await pay(paid, '2026-03-31', 2_080);
    await pay(paid, '2026-05-10');
    const credited = await make('2026-02-28', '2026-03-31', other.id);
    await seller.act('invoice', credited.id, 'credit-notes', {
      reason: '値引き',
      issue_date: '2026-05-01',
      line_items: [{ description: '値引き', unit_price: '1000' }],
    });
    const cancelled = await make('2026-03-31', '2026-04-30', other.id);
    await seller.act('invoice', cancelled.id, 'cancel');
    const revised = await make('2026-04-30', '2026-05-31');
    const { invoice: revision } = (await seller.act('invoice', revised.id, 'revise')).body;
    await seller.act('invoice', revision.id, 'approve');
    await seller.draft('invoice', { issue_date: '2026-01-01' });
    const ids = [open, paid, credited, cancelled, revision].map(({ id }) => id);
    invoices = await Promise.all(ids.map((id) => seller.read('invoice', id)));
  });

  /** The balances of a day by bucket, from the papers of the invoices. */
  async function expected(as_of: string): Promise<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const { id, issue_date, due_date, totals } of invoices) {
      if (issue_date > as_of) continue;
      const payments = (await seller.get(`/invoices/${id}/payments`)).body.items;
      const notes = (await seller.get(`/invoices/${id}/credit-notes`)).body.items;
      const settled = [
        ...payments.map((one: Shown) => [one.paid_on, one.amount]),
        ...notes.map((one: Shown) => [one.issue_date, one.totals.amount_due]),
      ].filter(([day]) => day <= as_of);
      const balance = settled.reduce((left, [, amount]) => left - amount, totals.amount_due);
      const bucket = ageingOf({ status: 'sent', due_date, balance: BigInt(balance) }, as_of);
      if (bucket) sums[bucket] = (sums[bucket] ?? 0) + balance;
    }
    return sums;
  }

  for (const as_of of [
    '2025-12-30',
    '2026-01-31',
    '2026-03-30',
    '2026-03-31',
    '2026-04-30',
    '2026-05-10',
    '2026-06-14',
  ]) {
    test(`${as_of}: by the days of the papers`, async () => {
      const wanted = await expected(as_of);
      const { ageing } = (await seller.get(`/invoices/ageing?as_of=${as_of}`)).body;
      const { balance, ...totals } = ageing.totals;
      const found = Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0));
      assert.deepEqual([ageing.as_of, found], [as_of, wanted]);
      const { dashboard } = (await seller.get(`/invoices/dashboard?as_of=${as_of}`)).body;
      const buckets = dashboard.ageing.filter(({ amount }: Shown) => amount !== 0);
      assert.deepEqual(
        Object.fromEntries(buckets.map(({ bucket, amount }: Shown) => [bucket, amount])),
        wanted,
      );
      assert.equal(dashboard.outstanding.amount, balance);
      assert.equal(dashboard.overdue.amount, balance - (wanted['not_due'] ?? 0));
      const companies = dashboard.top_companies.map((one: Shown) => [one.company_id, one.balance]);
      assert.deepEqual(
        companies,
        ageing.rows.map((one: Shown) => [one.company_id, one.balance]),
      );
      assert.equal(dashboard.months[11].month, as_of.slice(0, 7));
    });
  }

  test('today and of days to come it is what is open now', async () => {
    const now = (await seller.get('/invoices/ageing')).body.ageing;
    const later = (await seller.get('/invoices/ageing?as_of=2026-12-31')).body.ageing;
    assert.equal(now.as_of, '2026-06-15');
    assert.deepEqual(
      [later.totals.balance, later.totals['91_plus']],
      [now.totals.balance, now.totals.balance],
    );
    const [company] = now.rows;
    const one = await seller.get(`/invoices/ageing?as_of=2026-04-30&company_id=${company.company_id}`);
    assert.deepEqual(
      one.body.ageing.rows.map((row: Shown) => row.company_id),
      [company.company_id],
    );
    const faulty = await seller.get('/invoices/dashboard?as_of=2026-02-30');
    assert.equal(faulty.status, 422);
  });
});
