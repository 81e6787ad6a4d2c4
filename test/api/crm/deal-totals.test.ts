import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSales, type Sales } from '../../support/deals.ts';

const app = await startApp();

async function totalsOf(sales: Sales, company: { id: string }) {
  const { open_deals, open_amount, open_amounts } = (await sales.get(`/crm/companies/${company.id}`)).body
    .company;
  return { open_deals, open_amount, open_amounts };
}

const yen = (open_deals: number, amount: number) => ({
  open_deals,
  open_amount: amount,
  open_amounts: amount === 0 ? [] : [{ currency: 'JPY', amount }],
});

describe('the open deals of a company', () => {
  test('are counted as deals are made, changed, closed, opened again and deleted', async () => {
    const sales = await newSales(app);
    const company = await sales.make('/crm/companies', { name: 'C' });
    const deal = await sales.deal({ amount: 100, company_id: company.id });
    await sales.deal({ amount: 7, company_id: company.id, stage_id: sales.stage.closed_won });
    const path = `/crm/deals/${deal.id}`;
    const after = async (body: unknown) => {
      const reply = await sales.patch(path, body);
      assert.equal(reply.status, 200, reply.text);
      return totalsOf(sales, company);
    };
    assert.deepEqual(await totalsOf(sales, company), yen(1, 100));
    assert.deepEqual(await after({ amount: 250 }), yen(1, 250));
    assert.deepEqual(await after({ amount: '1.50', currency: 'USD' }), {
      open_deals: 1,
      open_amount: 0,
      open_amounts: [{ currency: 'USD', amount: '1.50' }],
    });
    assert.deepEqual(await after({ amount: 30, currency: 'JPY' }), yen(1, 30));
    assert.deepEqual(await after({ stage_id: sales.stage.closed_lost, lost_reason: 'x' }), yen(0, 0));
    assert.deepEqual(await after({ amount: 40 }), yen(0, 0));
    assert.deepEqual(await after({ stage_id: sales.stage.lead }), yen(1, 40));
    await sales.delete(path);
    assert.deepEqual(await totalsOf(sales, company), yen(0, 0));
  });

  test('go over with a deal to another company', async () => {
    const sales = await newSales(app);
    const [from, to] = [
      await sales.make('/crm/companies', { name: 'F' }),
      await sales.make('/crm/companies', { name: 'T' }),
    ];
    const deal = await sales.deal({ amount: 100, company_id: from.id });
    await sales.patch(`/crm/deals/${deal.id}`, { company_id: to.id, amount: 120 });
    assert.deepEqual([await totalsOf(sales, from), await totalsOf(sales, to)], [yen(0, 0), yen(1, 120)]);
    await sales.patch(`/crm/deals/${deal.id}`, { company_id: null });
    assert.deepEqual(await totalsOf(sales, to), yen(0, 0));
    const { updated_at } = (await sales.get(`/crm/companies/${to.id}`)).body.company;
    assert.equal(updated_at, to.updated_at);
  });

  test('are right after many writes at once, also of stages that go', async () => {
    const sales = await newSales(app);
    const companies: { id: string }[] = [];
    for (const name of ['A', 'B']) companies.push(await sales.make('/crm/companies', { name }));
    const ids: string[] = [];
    for (let n = 0; n < 16; n += 1) {
      ids.push((await sales.deal({ amount: n + 1, company_id: companies[n % 2]!.id })).id);
    }
    const stages = [
      { name: 'L', slug: 'lead' },
      { name: 'P', slug: 'proposal', type: 'won' },
    ];
    const replies = await Promise.all([
      ...ids.map((id, n) =>
        n % 4 === 0
          ? sales.patch(`/crm/deals/${id}`, { company_id: companies[(n / 4) % 2]!.id })
          : n % 4 === 1
            ? sales.patch(`/crm/deals/${id}`, { stage_id: sales.stage.proposal })
            : n % 4 === 2
              ? sales.delete(`/crm/deals/${id}`)
              : sales.patch(`/crm/deals/${id}`, { amount: 1000 + n }),
      ),
      sales.patch(`/crm/pipelines/${sales.pipeline.id}`, { stages }),
      ...companies.map(({ id }) => sales.post('/crm/deals', { name: 'x', amount: 5, company_id: id })),
    ]);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 201]));
    const { items } = (await sales.get('/crm/deals?limit=200')).body;
    for (const company of companies) {
      const open = items.filter(
        (deal: Record<string, unknown>) => deal.company_id === company.id && deal.status === 'open',
      );
      const amount = open.reduce((sum: number, deal: { amount: number }) => sum + deal.amount, 0);
      assert.deepEqual(await totalsOf(sales, company), yen(open.length, amount));
    }
  });
});
