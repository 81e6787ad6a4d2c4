import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { todayIn } from '../../../shared/kernel/days.ts';
import { startApp } from '../../support/app.ts';
import { newBuyer } from '../../support/received.ts';

// The day does not turn while invoices of it are made and counted.
const now = new Date();
const app = await startApp({ now: () => now });
const buyer = await newBuyer(app);
const other = await buyer.make('/crm/companies', { name: '株式会社浜電機' });
const today = todayIn('Asia/Tokyo', now);
const away = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
const line = (unit_price: string) => [{ description: 'コピー用紙', quantity: '1', unit_price }];

async function approved(fields: Record<string, unknown>): Promise<string> {
  const { id } = await buyer.register('invoice', fields);
  const reply = await buyer.act('invoice', id, 'approve', {});
  assert.equal(reply.status, 200, reply.text);
  return id;
}

await buyer.register('invoice', { issue_date: away(-10), due_date: away(20), line_items: line('700') });
await approved({ issue_date: away(-100), due_date: away(-70), line_items: line('1000') });
await approved({
  issue_date: away(-5),
  due_date: away(3),
  line_items: line('2000'),
  registration_number: 'T7000012050002',
});
await approved({ issue_date: away(-5), due_date: away(60), line_items: line('4000'), company_id: other.id });
const settled = await approved({ issue_date: away(-40), due_date: away(-1), line_items: line('8000') });
assert.equal((await buyer.act('invoice', settled, 'mark-paid', { paid_on: away(-2) })).status, 200);
const partly = await approved({ issue_date: away(-20), due_date: away(-20), line_items: line('16000') });
assert.equal((await buyer.act('invoice', partly, 'mark-paid', { amount: 600 })).status, 200);

/** What a list comes to: how many, and the sum of a figure of each. */
async function summed(
  query: string,
  figure: (invoice: never) => number,
): Promise<{ count: number; amount: number }> {
  const { body } = await buyer.get(`/received-invoices?limit=200${query}`);
  return {
    count: body.items.length,
    amount: body.items.map(figure).reduce((sum: number, one: number) => sum + one, 0),
  };
}

const total = ({ totals }: { totals: { total: number } }) => totals.total;
const balance = (invoice: { balance: number }) => invoice.balance;

describe('the dashboard of received invoices', () => {
  for (const period of [{}, { from: away(-30) }, { from: away(-30), to: away(-6) }] as {
    from?: string;
    to?: string;
  }[]) {
    test(`is the sum over the lists of ${JSON.stringify(period)}`, async () => {
      const asked = new URLSearchParams(period).toString();
      const { status, body, text } = await buyer.get(`/received-invoices/dashboard?${asked}`);
      assert.equal(status, 200, text);
      const { dashboard } = body;
      const issued = `${period.from ? `&issue_date_from=${period.from}` : ''}${period.to ? `&issue_date_to=${period.to}` : ''}`;
      const paid = `${period.from ? `&paid_from=${period.from}` : ''}${period.to ? `&paid_to=${period.to}` : ''}`;
      assert.deepEqual(dashboard.pending, await summed(`&status=pending${issued}`, total));
      assert.deepEqual(dashboard.unpaid, await summed(`&unpaid=true${issued}`, balance));
      assert.deepEqual(dashboard.overdue, await summed(`&overdue=true${issued}`, balance));
      const soon = `&unpaid=true&due_date_from=${today}&due_date_to=${away(7)}`;
      assert.deepEqual(dashboard.due_soon, await summed(soon + issued, balance));
      assert.deepEqual(dashboard.paid, await summed(`&status=paid${paid}`, total));
      const { amount } = await summed(`&qualified=false&status=approved,partially_paid,paid${issued}`, total);
      assert.equal(dashboard.non_registered, amount);
      const lost = ({ input_tax }: { input_tax: { non_deductible: number } }) => input_tax.non_deductible;
      const tax = await summed(`&status=approved,partially_paid,paid${issued}`, lost);
      assert.equal(dashboard.non_deductible_tax, tax.amount);
      const ages = dashboard.ageing.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0);
      assert.equal(ages, dashboard.unpaid.amount);
    });
  }

  test('names the next day to pay, the companies, and the months', async () => {
    const { dashboard } = (await buyer.get('/received-invoices/dashboard')).body;
    assert.equal(dashboard.next_due_date, away(3));
    assert.deepEqual(
      dashboard.top_companies.map(({ company_id, count, balance: owed }: Record<string, unknown>) => [
        company_id,
        count,
        owed,
      ]),
      [
        [buyer.company.id, 3, 1100 + 2200 + 17_000],
        [other.id, 1, 4400],
      ],
    );
    assert.equal(dashboard.months.length, 12);
    assert.equal(dashboard.months.at(-1).month, today.slice(0, 7));
    const sum = (name: string) =>
      dashboard.months.reduce((all: number, one: Record<string, number>) => all + one[name]!, 0);
    assert.deepEqual([sum('received'), sum('paid')], [34_100, 9_400]);
    assert.deepEqual(
      dashboard.ageing.map(({ count }: { count: number }) => count),
      [2, 1, 0, 1, 0],
    );
  });

  test('refuses a period that ends before it begins', async () => {
    assert.equal((await buyer.get('/received-invoices/dashboard?from=2026-02-01&to=2026-01-01')).status, 422);
  });
});
