import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { copyDeal, newSales, type Sales } from '../../support/deals.ts';

const app = await startApp();

async function boardOf(sales: Sales, query = '') {
  const reply = await sales.get(`/crm/pipelines/${sales.pipeline.id}/board${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.board;
}

/** The IDs of a stage's deals from top to bottom, by the slug of the stage. */
async function columns(sales: Sales): Promise<Record<string, string[]>> {
  const { stages } = await boardOf(sales, '?limit=200');
  return Object.fromEntries(
    stages.map(({ stage, deals }: { stage: { slug: string }; deals: { id: string }[] }) => [
      stage.slug,
      deals.map(({ id }) => id),
    ]),
  );
}

describe('200', () => {
  test('shows all stages, the uppermost deals, and counts and totals of all', async () => {
    const sales = await newSales(app);
    const first = await sales.deal({ amount: 1001, probability: 50 });
    await sales.deal({ amount: 1 });
    await sales.deal({ amount: '10.05', currency: 'USD' });
    await sales.deal({ amount: '0.005', currency: 'KWD' });
    const board = await boardOf(sales, '?limit=1');
    assert.equal(board.pipeline_id, sales.pipeline.id);
    assert.deepEqual(
      board.stages.map(({ stage }: { stage: unknown }) => stage),
      sales.pipeline.stages,
    );
    const [lead, qualification] = board.stages;
    assert.deepEqual(lead.deals, [first]);
    assert.equal(lead.count, 4);
    assert.deepEqual(lead.totals, [
      { currency: 'JPY', amount: 1002, weighted_amount: 501 },
      { currency: 'KWD', amount: '0.005', weighted_amount: '0.001' },
      { currency: 'USD', amount: '10.05', weighted_amount: '1.01' },
    ]);
    assert.deepEqual([qualification.deals, qualification.count, qualification.totals], [[], 0, []]);
  });

  test('new deals come below all others, moved ones where it was asked', async () => {
    const sales = await newSales(app);
    const [a, b, c] = [await sales.deal(), await sales.deal(), await sales.deal()];
    assert.deepEqual((await columns(sales)).lead, [a.id, b.id, c.id]);
    await sales.post(`/crm/deals/${c.id}/move`, { before_id: a.id });
    await sales.post(`/crm/deals/${a.id}/move`, { after_id: b.id });
    assert.deepEqual((await columns(sales)).lead, [c.id, b.id, a.id]);
    await sales.post(`/crm/deals/${b.id}/move`, { stage_id: sales.stage.proposal });
    const d = await sales.deal({ stage_id: sales.stage.proposal });
    await sales.post(`/crm/deals/${c.id}/move`, { stage_id: sales.stage.proposal, after_id: b.id });
    const { lead, proposal } = await columns(sales);
    assert.deepEqual([lead, proposal], [[a.id], [b.id, c.id, d.id]]);
  });

  test('the order asked for holds through any moves, also when there is no room left in between', async () => {
    const sales = await newSales(app);
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push((await sales.deal()).id);
    // As an import leaves them: all at one place, told apart by their IDs.
    await app.database.withConnection(sales.organization_id, ({ query }) =>
      query('UPDATE crm_deals SET position = 5 WHERE organization_id = $1', [sales.organization_id]),
    );
    const order = await columns(sales);
    assert.deepEqual(order.lead, ids);
    const index = fc.integer({ min: 0, max: 7 });
    const step = fc.record({
      deal: index,
      beside: index,
      side: fc.constantFrom('before_id', 'after_id'),
      free: fc.constantFrom('lead', 'proposal', null),
    });
    const find = (id: string) => Object.keys(order).find((slug) => order[slug]!.includes(id))!;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 10 }), async (steps) => {
        for (const { deal, beside, side, free } of steps) {
          const [id, other] = [ids[deal]!, ids[beside]!];
          const slug = free ?? find(other);
          if (!free && id === other) continue;
          const wish = free ? {} : { [side]: other };
          const reply = await sales.post(`/crm/deals/${id}/move`, { stage_id: sales.stage[slug], ...wish });
          assert.equal(reply.status, 200, reply.text);
          if (free && find(id) === free) continue;
          order[find(id)] = order[find(id)]!.filter((one) => one !== id);
          const target = order[slug]!;
          const place = free ? target.length : target.indexOf(other) + (side === 'after_id' ? 1 : 0);
          order[slug] = target.toSpliced(place, 0, id);
        }
        assert.deepEqual(await columns(sales), order);
      }),
      { numRuns: 8 },
    );
  });

  test('a place among hundreds of deals that stand at one is found by moving them apart', async () => {
    const sales = await newSales(app);
    const first = await sales.deal();
    const order = [first.id, ...(await copyDeal(app, sales, first, 170))];
    assert.deepEqual((await columns(sales)).lead, order);
    for (const [from, to] of [
      [170, 60],
      [0, 120],
      [100, 20],
    ] as const) {
      const [id, after_id] = [order[from]!, order[to]!];
      const told = await sales.post(`/crm/deals/${id}/move`, { after_id });
      assert.equal(told.status, 200, told.text);
      order.splice(from, 1);
      order.splice(order.indexOf(after_id) + 1, 0, id);
      assert.deepEqual((await columns(sales)).lead, order);
      assert.deepEqual((await sales.get(`/crm/deals/${id}`)).body.deal, told.body.deal);
    }
  });

  test('two deals that change places at the same spot a hundred times keep short positions', async () => {
    const sales = await newSales(app);
    const [a, b, c] = [await sales.deal(), await sales.deal(), await sales.deal()];
    let longest = 0;
    for (let n = 0; n < 100; n += 1) {
      const moved = n % 2 ? c : b;
      const reply = await sales.post(`/crm/deals/${moved.id}/move`, { after_id: a.id });
      longest = Math.max(longest, reply.body.deal.position.length);
    }
    assert.deepEqual((await columns(sales)).lead, [a.id, c.id, b.id]);
    assert.ok(longest <= 27, `${longest}`);
  });

  test('many moves at once lose no deal and give each its neighbour, as if one came after the other', async () => {
    const sales = await newSales(app);
    const anchor = await sales.deal();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await sales.deal({ stage_id: sales.stage.proposal })).id);
    const replies = await Promise.all(
      ids.map((id, n) =>
        sales.post(`/crm/deals/${id}/move`, {
          stage_id: sales.stage.lead,
          [n % 2 ? 'before_id' : 'after_id']: anchor.id,
        }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const { lead = [] } = await columns(sales);
    assert.equal(new Set(lead).size, 21);
    const middle = lead.indexOf(anchor.id);
    assert.deepEqual(new Set(lead.slice(0, middle)), new Set(ids.filter((_, n) => n % 2 === 1)));
    const { stages } = await boardOf(sales);
    const positions = stages[0].deals.map(({ position }: { position: string }) => position);
    assert.equal(new Set(positions).size, 21);
  });
});

describe('404', () => {
  test('the board of another organization', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const reply = await stranger.get(`/crm/pipelines/${sales.pipeline.id}/board`);
    assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
  });
});

describe('422', () => {
  test('a limit beyond the most, or none', async () => {
    const sales = await newSales(app);
    for (const limit of ['201', '0', 'x']) {
      assert.equal((await sales.get(`/crm/pipelines/${sales.pipeline.id}/board?limit=${limit}`)).status, 422);
    }
  });
});
