import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

describe('200', () => {
  test('a change of everything, and of nothing', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.draft('invoice');
    const other = await seller.make('/crm/companies', { name: 'B' });
    const patch = {
      company_id: other.id,
      subject: '件名',
      issue_date: '2026-05-01',
      memo: 'm',
      number: 'X-1',
    };
    const told = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.patch(`/invoices/${invoice.id}`, patch);
      assert.equal(reply.status, 200, reply.text);
      const { available_actions, updated_at, ...changed } = reply.body.invoice;
      assert.deepEqual(changed, { ...without(invoice, ['available_actions', 'updated_at']), ...patch });
      assert.ok(updated_at > invoice.updated_at);
      assert.deepEqual(await seller.read('invoice', invoice.id), reply.body.invoice);
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['customer.created', 'invoice.updated'],
    );
    assert.deepEqual(told.events[1]!.previous_attributes, {
      company_id: seller.company.id,
      subject: null,
      issue_date: '2026-04-01',
      memo: null,
      number: null,
    });
    const silent = await toldBy(app, seller.organization_id, async () => {
      const again = await seller.patch(`/invoices/${invoice.id}`, patch);
      assert.equal(again.status, 200);
    });
    assert.deepEqual(silent, { events: [], audit: [] });
  });

  test('a line that is sent with its ID keeps it, the others are new or gone', async () => {
    const seller = await newSeller(app);
    const quotation = await seller.draft('quotation');
    const [first, second] = quotation.line_items;
    const reply = await seller.patch(`/quotations/${quotation.id}`, {
      line_items: [
        { description: '新', unit_price: '1' },
        { id: second.id, description: second.description, unit_price: '300', quantity: '4' },
      ],
    });
    const lines = reply.body.quotation.line_items;
    assert.deepEqual(
      lines.map(({ id }: { id: string }) => id === second.id),
      [false, true],
    );
    assert.notEqual(lines[0].id, first.id);
    assert.deepEqual([lines[1].unit_price, lines[1].tax_category], ['300', 'standard']);
    assert.equal(reply.body.quotation.totals.total, 1 + 1200 + 120);
    assert.deepEqual((await seller.read('quotation', quotation.id)).line_items, lines);
  });

  test('a day takes the place of a period and the other way round; none is the day of issue', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice', { transaction_date: '2026-03-15' });
    const period = { from: '2026-03-01', to: '2026-03-31' };
    const steps: [Record<string, unknown>, string | null, typeof period | null][] = [
      [{ issue_date: '2026-04-02' }, '2026-03-15', null],
      [{ transaction_period: null }, '2026-03-15', null],
      [{ transaction_period: period }, null, period],
      [{ transaction_date: null }, null, period],
      [{ transaction_period: null }, '2026-04-02', null],
      [{ transaction_period: period }, null, period],
      [{ transaction_date: '2026-02-01' }, '2026-02-01', null],
      [{ transaction_date: null, issue_date: '2026-04-03' }, '2026-04-03', null],
    ];
    for (const [patch, date, span] of steps) {
      const { body } = await seller.patch(`/invoices/${id}`, patch);
      assert.deepEqual([body.invoice.transaction_date, body.invoice.transaction_period], [date, span]);
    }
  });

  test('the transaction date decides the rates anew', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice', { line_items: [{ description: 'x', unit_price: 1000 }] });
    const { body } = await seller.patch(`/invoices/${id}`, { transaction_date: '2019-09-30' });
    assert.equal(body.invoice.line_items[0].tax_rate, 8);
    assert.deepEqual([body.invoice.totals.total, body.invoice.balance], [1080, 1080]);
  });
});

function without(record: Record<string, unknown>, fields: readonly string[]) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
