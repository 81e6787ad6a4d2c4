import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSales, type Sales, stagesBySlug } from '../../support/deals.ts';
import { asCarried, faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

const move = (sales: Sales, deal: { id: string }, body: unknown) =>
  sales.post(`/crm/deals/${deal.id}/move`, body);
const patch = (sales: Sales, deal: { id: string }, body: unknown) =>
  sales.patch(`/crm/deals/${deal.id}`, body);

describe('200', () => {
  test('a move by PATCH and one by /move do the same', async () => {
    const sales = await newSales(app);
    for (const act of [move, patch]) {
      const before = await sales.deal({ amount: 100 });
      const reply = await act(sales, before, { stage_id: sales.stage.proposal });
      assert.equal(reply.status, 200, reply.text);
      const { deal } = reply.body;
      assert.deepEqual([deal.stage_slug, deal.probability, deal.weighted_amount], ['proposal', 50, 50]);
      assert.deepEqual([deal.last_stage_id, deal.status], [sales.stage.lead, 'open']);
      assert.ok(deal.stage_entered_at > before.stage_entered_at);
      assert.deepEqual((await sales.get(`/crm/deals/${deal.id}`)).body.deal, deal);
    }
  });

  test('won closes it, and open again clears what closing said', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    const won = (await move(sales, deal, { stage_id: sales.stage.closed_won })).body.deal;
    assert.deepEqual([won.status, won.closed_at, won.probability], ['won', won.updated_at, 100]);
    const open = (await move(sales, deal, { stage_id: sales.stage.lead })).body.deal;
    assert.deepEqual([open.status, open.closed_at, open.lost_reason], ['open', null, null]);
    const lost = (await patch(sales, deal, { stage_id: sales.stage.closed_lost, lost_reason: '価格' })).body
      .deal;
    assert.deepEqual([lost.status, lost.lost_reason], ['lost', '価格']);
    const again = (await patch(sales, deal, { lost_reason: '納期' })).body.deal;
    assert.deepEqual([again.lost_reason, again.closed_at], ['納期', lost.closed_at]);
    const reopened = (await patch(sales, deal, { stage_id: sales.stage.proposal })).body.deal;
    assert.deepEqual([reopened.closed_at, reopened.lost_reason], [null, null]);
  });

  test('another pipeline keeps the slug of the stage, or takes the stage sent', async () => {
    const sales = await newSales(app);
    const other = await sales.make('/crm/pipelines', { name: 'Q' });
    const stage = stagesBySlug(other);
    const deal = await sales.deal({ stage_id: sales.stage.proposal });
    const kept = (await patch(sales, deal, { pipeline_id: other.id })).body.deal;
    assert.deepEqual([kept.pipeline_id, kept.stage_id], [other.id, stage.proposal]);
    const back = { pipeline_id: sales.pipeline.id, stage_id: sales.stage.lead };
    const sent = (await patch(sales, deal, back)).body.deal;
    assert.deepEqual([sent.pipeline_id, sent.stage_id], [sales.pipeline.id, sales.stage.lead]);
  });

  test('a move tells crm.deal.stage_updated, and crm.deal.updated for what else changed', async () => {
    const sales = await newSales(app);
    const before = await sales.deal();
    const body = { stage_id: sales.stage.closed_won, name: '更改' };
    const told = await toldBy(app, sales.organization_id, () => patch(sales, before, body));
    const { deal } = (await sales.get(`/crm/deals/${before.id}`)).body;
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['crm.deal.stage_updated', 'crm.deal.updated'],
    );
    assert.deepEqual(
      told.events.map(({ data }) => data),
      [asCarried(deal), asCarried(deal)],
    );
    assert.deepEqual(told.events[0]!.previous_attributes, {
      stage_id: sales.stage.lead,
      stage_slug: 'lead',
      status: 'open',
      probability: 10,
      closed_at: null,
      stage_entered_at: before.stage_entered_at,
      position: before.position,
    });
    assert.deepEqual(told.events[1]!.previous_attributes, { name: '更新' });
    assert.equal(told.audit.length, 2);
  });

  test('a place on the board alone is crm.deal.updated, and asking for it again is nothing', async () => {
    const sales = await newSales(app);
    const [a, b] = [await sales.deal(), await sales.deal()];
    const told = await toldBy(app, sales.organization_id, () => move(sales, b, { before_id: a.id }));
    assert.deepEqual(
      told.events.map(({ type, previous_attributes }) => [type, previous_attributes]),
      [['crm.deal.updated', { position: b.position }]],
    );
    const again = await toldBy(app, sales.organization_id, () => move(sales, b, { before_id: a.id }));
    assert.deepEqual(again.events, []);
  });

  test('of two moves of one deal at once each sees what the other did', async () => {
    const sales = await newSales(app);
    for (let round = 0; round < 5; round += 1) {
      const deal = await sales.deal();
      const replies = await Promise.all([
        move(sales, deal, { stage_id: sales.stage.closed_won }),
        move(sales, deal, { stage_id: sales.stage.closed_lost, lost_reason: 'x' }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      const winner = replies.find(({ status }) => status === 200)!.body.deal;
      assert.deepEqual((await sales.get(`/crm/deals/${deal.id}`)).body.deal, winner);
    }
  });
});

describe('409', () => {
  test('between won and lost the way leads through open', async () => {
    const sales = await newSales(app);
    const won = await sales.deal({ stage_id: sales.stage.closed_won });
    const lost = await sales.deal({ stage_id: sales.stage.closed_lost, lost_reason: 'x' });
    for (const act of [move, patch]) {
      const there = await act(sales, won, { stage_id: sales.stage.closed_lost, lost_reason: 'x' });
      assert.deepEqual([there.status, there.body.code], [409, 'invalid_transition']);
      assert.deepEqual([there.body.current_status, there.body.allowed_statuses], ['won', ['won', 'open']]);
      const back = await act(sales, lost, { stage_id: sales.stage.closed_won });
      assert.deepEqual([back.status, back.body.current_status], [409, 'lost']);
    }
  });
});

describe('422', () => {
  test('to lost without a reason', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    for (const reply of [
      await move(sales, deal, { stage_id: sales.stage.closed_lost }),
      await patch(sales, deal, { stage_id: sales.stage.closed_lost, lost_reason: null }),
      await sales.post('/crm/deals', { name: 'x', stage_id: sales.stage.closed_lost }),
    ]) {
      assert.deepEqual([reply.status, ...faultsIn(reply.body)], [422, '/lost_reason required']);
    }
  });

  test('a reason for what is not lost, or none for what is', async () => {
    const sales = await newSales(app);
    const open = await patch(sales, await sales.deal(), { lost_reason: 'x' });
    assert.deepEqual([open.status, ...faultsIn(open.body)], [422, '/lost_reason not_lost']);
    const deal = await sales.deal({ stage_id: sales.stage.closed_lost, lost_reason: 'x' });
    const lost = await patch(sales, deal, { lost_reason: null });
    assert.deepEqual([lost.status, ...faultsIn(lost.body)], [422, '/lost_reason required']);
  });

  test('a stage of another pipeline, and another pipeline without a stage of that slug', async () => {
    const sales = await newSales(app);
    const other = await sales.make('/crm/pipelines', { name: 'Q', stages: [{ name: 'A', slug: 'a' }] });
    const deal = await sales.deal();
    for (const act of [move, patch]) {
      const reply = await act(sales, deal, { stage_id: stagesBySlug(other).a });
      assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference']);
      assert.deepEqual(faultsIn(reply.body), ['/stage_id unknown_reference']);
    }
    const bare = await patch(sales, deal, { pipeline_id: other.id });
    assert.deepEqual([bare.status, ...faultsIn(bare.body)], [422, '/stage_id required']);
  });

  test('a neighbour that is not in the stage, is the deal itself, or is named on both sides', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    const elsewhere = await sales.deal({ stage_id: sales.stage.proposal });
    const foreign = await (await newSales(app)).deal();
    for (const { id } of [elsewhere, foreign, deal]) {
      const reply = await move(sales, deal, { after_id: id });
      assert.deepEqual([reply.status, ...faultsIn(reply.body)], [422, '/after_id unknown_reference']);
    }
    const both = await move(sales, deal, { before_id: elsewhere.id, after_id: elsewhere.id });
    assert.deepEqual([both.status, ...faultsIn(both.body)], [422, '/after_id mutually_exclusive']);
  });
});
