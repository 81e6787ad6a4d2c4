import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Decider, newDecider } from '../../support/received-life.ts';

const app = await startApp();

const paper = { description: 'コピー用紙', unit_price: '1000' };

const billing = (quantity: string, fields: Record<string, unknown> = {}) => ({
  line_items: [{ ...paper, quantity }],
  ...fields,
});

/** What an answer says of an invoice's match: its status, its difference and the codes of its lines. */
function verdict({ match }: { match: { status: string; difference: string; lines: { codes: string[] }[] } }) {
  return [match.status, match.difference, match.lines.flatMap(({ codes }) => codes).join(' ')];
}

async function listed(buyer: Decider, id: string) {
  const { items } = (await buyer.get('/received-invoices')).body;
  return items.find((item: { id: string }) => item.id === id);
}

describe('the match of an invoice', () => {
  test('follows what others deliver and charge until it is decided on, and stays from then on', async () => {
    const buyer = await newDecider(app);
    const { id: purchase_order_id, line_items } = await buyer.order();
    const of_order = { purchase_order_id };
    const invoice = await buyer.register('invoice', billing('60', of_order));
    assert.deepEqual(verdict(invoice), ['mismatch', '60000', 'over_accepted']);

    const note = await buyer.register('delivery_note', billing('60', of_order));
    assert.deepEqual(verdict(await buyer.read('invoice', invoice.id)), [
      'mismatch',
      '60000',
      'over_accepted',
    ]);
    await buyer.act('delivery_note', note.id, 'confirm');
    const delivered = await buyer.read('invoice', invoice.id);
    assert.deepEqual(delivered.match, {
      status: 'matched',
      lines: [
        {
          purchase_order_line_id: line_items[0].id,
          ordered: '100',
          accepted: '60',
          before: '0',
          now: '60',
          codes: [],
        },
      ],
      difference: '0',
    });

    const other = await buyer.register('invoice', billing('50', of_order));
    assert.deepEqual(verdict(other), ['matched', '0', '']);
    await buyer.act('invoice', invoice.id, 'approve');
    const late = ['mismatch', '50000', 'over_ordered over_accepted'];
    assert.deepEqual(verdict(await buyer.read('invoice', other.id)), late);
    assert.deepEqual(verdict(await listed(buyer, other.id)), late);
    await buyer.act('invoice', other.id, 'approve');
    assert.deepEqual(verdict(await buyer.read('invoice', invoice.id)), ['matched', '0', '']);
    assert.deepEqual(verdict(await listed(buyer, invoice.id)), ['matched', '0', '']);
  });

  test('counts what was accepted of a delivery, not what was sent', async () => {
    const buyer = await newDecider(app);
    const { id: purchase_order_id } = await buyer.order();
    const note = await buyer.register('delivery_note', { purchase_order_id });
    const lines = [{ id: note.line_items[0].id, accepted_quantity: '97.5', reason: '2.5箱が破損' }];
    assert.equal((await buyer.act('delivery_note', note.id, 'confirm', { lines })).status, 200);
    const invoice = await buyer.register('invoice', { purchase_order_id });
    assert.deepEqual(verdict(invoice), ['mismatch', '2500', 'over_accepted']);
    const services = await buyer.register('invoice', { purchase_order_id, match_mode: 'two_way' });
    assert.deepEqual(verdict(services), ['matched', '0', '']);
  });

  test('takes the tolerance of the settings, as they are now', async () => {
    const buyer = await newDecider(app);
    const { id: purchase_order_id } = await buyer.order();
    const fields = billing('110', { purchase_order_id, match_mode: 'two_way' });
    const invoice = await buyer.register('invoice', fields);
    assert.deepEqual(verdict(invoice), ['mismatch', '10000', 'over_ordered']);
    await buyer.settings({ match_tolerance: { quantity_percent: 10, price_percent: 0 } });
    assert.deepEqual(verdict(await buyer.read('invoice', invoice.id)), ['within_tolerance', '10000', '']);
  });

  test('is not had by stating sums in the place of lines', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ match_policy: 'block' });
    const { id: purchase_order_id } = await buyer.order();
    await buyer.after('delivery_note', ['confirm'], { purchase_order_id });
    const stated_breakdown = [{ tax_category: 'standard', gross: 110_000 }];
    const invoice = await buyer.register('invoice', { purchase_order_id, line_items: [], stated_breakdown });
    assert.deepEqual(verdict(invoice), ['mismatch', '100000', 'not_ordered']);
    const refused = await buyer.act('invoice', invoice.id, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'match_failed']);
  });

  test('is not had by removing the order', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ match_policy: 'block' });
    const draft = {
      company_id: buyer.company.id,
      issue_date: '2026-11-02',
      line_items: [{ ...paper, quantity: '10' }],
    };
    const { id: purchase_order_id } = await buyer.make('/purchase-orders', draft);
    const invoice = await buyer.register('invoice', billing('10', { purchase_order_id }));
    const removed = await buyer.delete(`/purchase-orders/${purchase_order_id}`);
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(verdict(await buyer.read('invoice', invoice.id)), ['mismatch', '10000', 'not_ordered']);
    const refused = await buyer.act('invoice', invoice.id, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'match_failed']);
  });

  test('is none without an order', async () => {
    const buyer = await newDecider(app);
    const { match } = await buyer.register('invoice');
    assert.deepEqual(match, { status: 'none', lines: [], difference: '0' });
  });
});

describe('the cap of a supplier without a number', () => {
  const gross = (amount: number, fields: Record<string, unknown> = {}) => ({
    line_items: [],
    stated_breakdown: [{ tax_category: 'standard', gross: amount }],
    ...fields,
  });
  const warns = ({ warnings }: { warnings: { code: string }[] }) =>
    warnings.some(({ code }) => code === 'supplier_cap_exceeded');

  test('is that of the first day of the fiscal year, else of the calendar year, over what was approved in it', async () => {
    const buyer = await newDecider(app);
    await buyer.after('invoice', ['approve'], gross(60_000_000, { issue_date: '2027-03-31' }));
    await buyer.register('invoice', gross(90_000_000, { issue_date: '2027-04-01' }));
    const qualified = { issue_date: '2027-05-01', registration_number: 'T7000012050002' };
    await buyer.after('invoice', ['approve'], gross(90_000_000, qualified));
    const within = await buyer.register('invoice', gross(40_000_000, { issue_date: '2027-06-01' }));
    assert.equal(warns(within), false);
    const beyond = await buyer.register('invoice', gross(40_000_001, { issue_date: '2027-06-02' }));
    assert.equal(warns(beyond), true);
    // 2026 began under the cap of before.
    const earlier = await buyer.register('invoice', gross(999_000_000, { issue_date: '2026-11-02' }));
    assert.equal(warns(earlier), false);
    await buyer.make('/accounting/fiscal-years', { start_date: '2027-04-01', end_date: '2028-03-31' });
    const apart = await buyer.change('invoice', beyond.id, { memo: '年度が替わった' });
    assert.equal(warns(apart.body.received_invoice), false);
  });
});

describe('the rule of small amounts', () => {
  test('is that of the settings when the invoice is decided on', async () => {
    const buyer = await newDecider(app);
    const small = { line_items: [], stated_breakdown: [{ tax_category: 'standard', gross: 9_999 }] };
    const invoice = await buyer.register('invoice', small);
    assert.deepEqual([invoice.input_tax.basis, invoice.input_tax.deductible], ['transitional', 636]);
    await buyer.settings({ small_amount_rule: true });
    assert.equal((await buyer.act('invoice', invoice.id, 'approve')).status, 200);
    const { input_tax } = await buyer.read('invoice', invoice.id);
    assert.deepEqual([input_tax.basis, input_tax.deductible], ['small_amount', 909]);
  });
});
