import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysLater, startOfDay, todayIn } from '../../../shared/kernel/days.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { exported, rowsOf, startExportWorkers } from '../../support/exports.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();
const workers = await startExportWorkers(app);
test.after(() => workers.stop());

const TOKYO = 'Asia/Tokyo';
const today = () => todayIn(TOKYO, new Date());

async function approved(seller: Seller): Promise<string> {
  return (await seller.after('invoice', ['approve'])).id;
}

const pay = (seller: Seller, id: string, body: Record<string, unknown>) =>
  seller.post(`/invoices/${id}/payments`, body);

describe('paid_on', () => {
  test('is the day that was said, in payments, invoices, lists and exports; paid_at is its beginning', async () => {
    const seller = await newSeller(app);
    const id = await approved(seller);
    const { payment, invoice } = (await pay(seller, id, { paid_on: '2026-05-01' })).body;
    const said = { paid_on: '2026-05-01', paid_at: '2026-04-30T15:00:00.000Z' };
    for (const { paid_on, paid_at } of [payment, invoice]) assert.deepEqual({ paid_on, paid_at }, said);
    const total = async (query: string) => (await seller.get(`/payments?${query}`)).body.total;
    assert.equal(await total('paid_from=2026-05-01&paid_to=2026-05-01'), 1);
    assert.equal(await total('paid_to=2026-04-30'), 0);
    assert.equal(await total('paid_from=2026-05-02'), 0);
    const [row] = rowsOf((await exported(app, seller, '/invoices', {})).bytes);
    assert.equal(row!['paid_on'], '2026-05-01');
  });

  test('follows from paid_at, by the time zone of the settings, and stays when that changes', async () => {
    const seller = await newSeller(app);
    const late = '2026-04-30T23:30:00+09:00';
    const first = (await pay(seller, await approved(seller), { paid_at: late })).body;
    assert.deepEqual([first.payment.paid_on, first.invoice.paid_on], ['2026-04-30', '2026-04-30']);
    await seller.settings({ time_zone: 'Pacific/Auckland' });
    const second = (await pay(seller, await approved(seller), { paid_at: late })).body;
    assert.equal(second.payment.paid_on, '2026-05-01');
    assert.equal(second.payment.paid_at, startOfDay('2026-05-01', 'Pacific/Auckland'));
    assert.equal((await seller.read('invoice', first.invoice.id)).paid_on, '2026-04-30');
    const april = await seller.get('/payments?paid_from=2026-04-01&paid_to=2026-04-30');
    assert.deepEqual(
      april.body.items.map((found: { id: string }) => found.id),
      [first.payment.id],
    );
    const { months } = (await seller.get('/invoices/dashboard?from=2026-04-01&to=2026-05-31')).body.dashboard;
    const collected = Object.fromEntries(
      months.map((month: { month: string; collected: number }) => [month.month, month.collected]),
    );
    assert.deepEqual(
      [collected['2026-04'], collected['2026-05']],
      [first.payment.amount, second.payment.amount],
    );
  });

  test('beside paid_at must be its day', async () => {
    const seller = await newSeller(app);
    const id = await approved(seller);
    const both = { paid_on: '2026-05-01', paid_at: '2026-05-01T23:59:59+09:00', amount: 80 };
    assert.equal((await pay(seller, id, both)).status, 201);
    for (const paid_at of ['2026-05-02T00:00:00+09:00', '2026-04-30']) {
      const refused = await pay(seller, id, { paid_on: '2026-05-01', paid_at });
      assert.equal(refused.status, 422);
      assert.deepEqual(faultsIn(refused.body), ['/paid_at mutually_exclusive']);
    }
  });

  test('of an invoice is that of its last money, and none while a balance is left', async () => {
    const seller = await newSeller(app);
    const id = await approved(seller);
    const last = (await pay(seller, id, { amount: 80, paid_on: '2026-05-31' })).body;
    assert.equal(last.invoice.paid_on, null);
    const { invoice } = (await pay(seller, id, { paid_on: '2026-05-01' })).body;
    assert.equal(invoice.paid_on, '2026-05-31');
    await seller.delete(`/invoices/${id}/payments/${last.payment.id}`);
    assert.equal((await seller.read('invoice', id)).paid_on, null);
  });
});

describe('422 future_date', () => {
  test('more than 31 days ahead is refused unless it is allowed; dates of issue are not', async () => {
    const seller = await newSeller(app);
    const id = await approved(seller);
    const most = daysLater(today(), 31);
    assert.equal((await pay(seller, id, { amount: 1, paid_on: most })).status, 201);
    const beyond = daysLater(today(), 33);
    for (const body of [{ paid_on: beyond }, { paid_at: beyond }, { paid_at: `${beyond}T12:00:00+09:00` }]) {
      for (const reply of [await pay(seller, id, body), await seller.act('invoice', id, 'mark-paid', body)]) {
        assert.deepEqual([reply.status, reply.body.code], [422, 'future_date']);
        assert.deepEqual(faultsIn(reply.body), [`/${Object.keys(body)[0]} future_date`]);
      }
      assert.equal((await pay(seller, id, { ...body, amount: 1, allow_future: true })).status, 201);
    }
    await seller.draft('invoice', { issue_date: daysLater(today(), 400) });
  });
});

describe('a month-end run', () => {
  test('of the same keys again bills and settles nobody twice, without any Idempotency-Key', async () => {
    const seller = await newSeller(app);
    const companies: { id: string }[] = [];
    for (const name of ['青空商店', '山田商店'])
      companies.push(await seller.make('/crm/companies', { name }));
    async function run() {
      const told: unknown[] = [];
      for (const [place, { id }] of companies.entries()) {
        const made = await seller.post('/invoices', {
          company_id: id,
          issue_date: '2026-10-31',
          external_id: `2026-10/${place}`,
          line_items: [{ description: '月額', unit_price: '1000' }],
        });
        const invoice_id = made.body.invoice?.id ?? made.body.existing_id;
        await seller.act('invoice', invoice_id, 'approve');
        const paid = await pay(seller, invoice_id, {
          external_id: `bank/${place}`,
          paid_on: '2026-11-20',
          amount: 100,
        });
        told.push([made.status, invoice_id, paid.status, paid.body.payment?.id ?? paid.body.existing_id]);
      }
      return told as [number, string, number, string][];
    }
    const first = await run();
    const second = await run();
    assert.deepEqual(
      second,
      first.map(([, invoice, , payment]) => [409, invoice, 409, payment]),
    );
    assert.equal((await seller.get('/invoices')).body.total, companies.length);
    assert.equal((await seller.get('/payments')).body.total, companies.length);
  });
});
