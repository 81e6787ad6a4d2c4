import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { copyDeal, newSales, type Sales, stagesBySlug } from '../../support/deals.ts';
import { asCarried, toldBy } from '../../support/facts.ts';

const app = await startApp();

const named = (...slugs: string[]) => slugs.map((slug) => ({ name: slug, slug }));
const replace = (sales: Sales, body: Record<string, unknown>) =>
  sales.patch(`/crm/pipelines/${sales.pipeline.id}`, body);
const dealOf = async (sales: Sales, { id }: { id: string }) =>
  (await sales.get(`/crm/deals/${id}`)).body.deal;

describe('200 to new stages', () => {
  test('deals of a removed stage go where the mapping says, else to the nearest lower of the same type', async () => {
    const sales = await newSales(app);
    const { stage } = sales;
    const mapped = await sales.deal({ stage_id: stage.lead });
    const lower = await sales.deal({ stage_id: stage.negotiation, probability: 60 });
    const kept = await sales.deal({ stage_id: stage.proposal });
    const won = await sales.deal({ stage_id: stage.closed_won });
    const lost = await sales.deal({ stage_id: stage.closed_lost, lost_reason: '価格' });
    const stages = [...named('qualification', 'proposal', 'demo'), { name: 'W', slug: 'win', type: 'won' }];
    const reply = await replace(sales, { stages, stage_mapping: { lead: 'demo' } });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.moved_deals, 4);
    const now = stagesBySlug(reply.body.pipeline);
    const place = async (deal: { id: string }) => {
      const { stage_id, stage_slug, status, probability } = await dealOf(sales, deal);
      return { slug: stage_slug, known: stage_id === now[stage_slug], status, probability };
    };
    assert.deepEqual(await place(mapped), { slug: 'demo', known: true, status: 'open', probability: 50 });
    assert.deepEqual(await place(lower), { slug: 'demo', known: true, status: 'open', probability: 60 });
    assert.deepEqual(await place(won), { slug: 'win', known: true, status: 'won', probability: 100 });
    assert.deepEqual(await dealOf(sales, kept), kept);
    const reopened = await dealOf(sales, lost);
    assert.deepEqual([reopened.stage_slug, reopened.status], ['qualification', 'open']);
    assert.deepEqual([reopened.closed_at, reopened.lost_reason, reopened.last_stage_id], [null, null, null]);
  });

  test('each moved deal tells crm.deal.stage_updated', async () => {
    const sales = await newSales(app);
    const before = await sales.deal();
    const told = await toldBy(app, sales.organization_id, () => replace(sales, { stages: named('a') }));
    const after = await dealOf(sales, before);
    assert.deepEqual(
      told.events.map(({ type, data }) => [type, data]),
      [['crm.deal.stage_updated', asCarried(after)]],
    );
    assert.deepEqual(told.events[0]!.previous_attributes, {
      stage_id: before.stage_id,
      stage_slug: 'lead',
      probability: 10,
      stage_entered_at: before.stage_entered_at,
    });
    assert.deepEqual(told.audit.map(({ entity_type }) => entity_type).sort(), ['deal', 'pipeline']);
  });

  test('a stage of another type closes its deals; another probability is a change of theirs', async () => {
    const sales = await newSales(app);
    const company = await sales.make('/crm/companies', { name: 'C' });
    const deal = await sales.deal({ stage_id: sales.stage.proposal, amount: 70, company_id: company.id });
    const lead = await sales.deal({ amount: 30, company_id: company.id });
    const stages = [
      { name: 'L', slug: 'lead', probability: 5 },
      { name: 'P', slug: 'proposal', type: 'won' },
    ];
    const told = await toldBy(app, sales.organization_id, () => replace(sales, { stages }));
    assert.deepEqual(
      told.events.map(({ type, previous_attributes }) => [type, previous_attributes]),
      [
        ['crm.deal.updated', { status: 'open', probability: 50, closed_at: null }],
        ['crm.deal.updated', { probability: 10 }],
      ],
    );
    const closed = await dealOf(sales, deal);
    assert.deepEqual([closed.status, closed.probability, closed.closed_at], ['won', 100, closed.updated_at]);
    const { updated_at, ...weighed } = await dealOf(sales, lead);
    assert.deepEqual({ ...lead, ...weighed }, { ...lead, probability: 5, weighted_amount: 2 });
    assert.equal(told.events[1]!.data['updated_at'], updated_at);
    const { open_deals, open_amounts } = (await sales.get(`/crm/companies/${company.id}`)).body.company;
    assert.deepEqual([open_deals, open_amounts], [1, [{ currency: 'JPY', amount: 30 }]]);
  });

  test('10,000 deals move in one call and tell 10,000 events', async () => {
    const sales = await newSales(app);
    await copyDeal(app, sales, await sales.deal(), 9_999);
    const told = await toldBy(app, sales.organization_id, async () => {
      const reply = await replace(sales, { stages: named('a', 'b') });
      assert.deepEqual([reply.status, reply.body.moved_deals], [200, 10_000]);
    });
    const moved = told.events.filter(({ type }) => type === 'crm.deal.stage_updated');
    assert.equal(new Set(moved.map(({ data }) => data['id'])).size, 10_000);
    assert.equal((await sales.get('/crm/deals?limit=1')).body.total, 10_000);
  });

  test('no deal is lost or closed by mistake, whatever stages follow each other', async () => {
    const sales = await newSales(app);
    const ids = new Set<string>();
    for (const { slug, type } of sales.pipeline.stages) {
      const deal = await sales.deal({
        stage_id: sales.stage[slug],
        ...(type === 'lost' && { lost_reason: 'x' }),
      });
      ids.add(deal.id);
    }
    const stage = fc.record({
      slug: fc.constantFrom(...'abcdef'),
      type: fc.constantFrom('open', 'won', 'lost'),
      sort_order: fc.integer({ min: 0, max: 5 }),
    });
    const list = fc.uniqueArray(stage, { selector: ({ slug }) => slug, minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.dictionary(fc.constantFrom(...'abcdef'), fc.constantFrom(...'abcdef')),
        async (plan, wish) => {
          const stages = plan.map((one) => ({ name: one.slug, ...one }));
          const before = (await sales.get(`/crm/pipelines/${sales.pipeline.id}`)).body.pipeline;
          const gone = before.stages.map(({ slug }: { slug: string }) => slug);
          const left = plan.map(({ slug }) => slug);
          const stage_mapping = Object.fromEntries(
            Object.entries(wish).filter(
              ([from, to]) => gone.includes(from) && !left.includes(from) && left.includes(to),
            ),
          );
          const reply = await replace(sales, { stages, stage_mapping });
          const isPossible = plan.some(({ type }) => type === 'open');
          assert.equal(reply.status, isPossible ? 200 : 422, reply.text);
          const { stages: shown } = (await sales.get(`/crm/pipelines/${sales.pipeline.id}/board`)).body.board;
          const seen = new Set<string>();
          for (const { stage: column, deals } of shown) {
            for (const deal of deals) {
              seen.add(deal.id);
              assert.deepEqual([deal.stage_slug, deal.status], [column.slug, column.type]);
              assert.equal(deal.closed_at === null, deal.status === 'open');
            }
          }
          assert.deepEqual(seen, ids);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a deal that is made in a stage while it is removed stands in another one, or was refused', async () => {
    const sales = await newSales(app);
    await replace(sales, { stages: named('a', 'b') });
    for (let round = 0; round < 6; round += 1) {
      const { pipeline } = (await sales.get(`/crm/pipelines/${sales.pipeline.id}`)).body;
      const [first, second] = pipeline.stages;
      const moving = await sales.deal({ stage_id: first.id });
      const requests = [
        ...Array.from({ length: 8 }, () => sales.post('/crm/deals', { name: 'x', stage_id: second.id })),
        replace(sales, { stages: named('a', round % 2 ? 'b' : 'c') }),
        ...Array.from({ length: 8 }, () => sales.post('/crm/deals', { name: 'x', stage_id: second.id })),
        sales.patch(`/crm/deals/${moving.id}`, { stage_id: second.id }),
      ];
      const replies = await Promise.all(requests);
      const failed = replies.filter(({ status }) => status >= 300);
      assert.ok(
        failed.every(({ body }) => body.code === 'unknown_reference'),
        failed[0]?.text ?? '',
      );
      const { stages } = (await sales.get(`/crm/pipelines/${sales.pipeline.id}/board?limit=200`)).body.board;
      const shown = stages.flatMap(({ deals }: { deals: { id: string }[] }) => deals.map(({ id }) => id));
      const made = replies.flatMap(({ status, body }) => (status === 201 ? [body.deal.id] : []));
      assert.deepEqual(
        [...made, moving.id].filter((id) => !shown.includes(id)),
        [],
      );
      assert.equal((await sales.get('/crm/deals?limit=1')).body.total, shown.length);
    }
  });
});

describe('409 to new stages', () => {
  test('with if_deals: reject, when there are deals in stages that would go, with their counts', async () => {
    const sales = await newSales(app);
    await sales.deal();
    await sales.deal();
    await sales.deal({ stage_id: sales.stage.proposal });
    const body = { stages: named('proposal'), if_deals: 'reject' };
    const told = await toldBy(app, sales.organization_id, async () => {
      const reply = await replace(sales, body);
      assert.deepEqual([reply.status, reply.body.code, reply.body.deals], [409, 'in_use', { lead: 2 }]);
    });
    assert.deepEqual(told, { events: [], audit: [] });
    const free = await replace(sales, { ...body, stages: named('lead', 'proposal') });
    assert.deepEqual([free.status, free.body.moved_deals], [200, 0]);
  });
});

describe('200 to the end of a pipeline', () => {
  test('its deals go to the default pipeline: by slug, then by type', async () => {
    const sales = await newSales(app);
    const stages = [...named('proposal', 'demo'), { name: 'W', slug: 'win', type: 'won' }];
    const other = await sales.make('/crm/pipelines', { name: 'Q', stages });
    const stage = stagesBySlug(other);
    const alike = await sales.deal({ stage_id: stage.proposal });
    const open = await sales.deal({ stage_id: stage.demo });
    const won = await sales.deal({ stage_id: stage.win });
    const told = await toldBy(app, sales.organization_id, async () => {
      assert.equal((await sales.delete(`/crm/pipelines/${other.id}`)).status, 200);
    });
    const slugs = [];
    for (const deal of [alike, open, won]) {
      const after = await dealOf(sales, deal);
      assert.equal(after.pipeline_id, sales.pipeline.id);
      assert.equal(after.closed_at, deal.closed_at);
      slugs.push(after.stage_slug);
    }
    assert.deepEqual(slugs, ['proposal', 'qualification', 'closed_won']);
    assert.deepEqual(
      told.events.map(({ type }) => type),
      Array(3).fill('crm.deal.stage_updated'),
    );
  });

  test('move_deals_to names another pipeline', async () => {
    const sales = await newSales(app);
    const [from, to] = [
      await sales.make('/crm/pipelines', { name: 'Q' }),
      await sales.make('/crm/pipelines', { name: 'R' }),
    ];
    const deal = await sales.deal({ pipeline_id: from.id });
    assert.equal((await sales.delete(`/crm/pipelines/${from.id}?move_deals_to=${to.id}`)).status, 200);
    assert.deepEqual((await dealOf(sales, deal)).stage_id, stagesBySlug(to).lead);
  });
});
