import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSales, stagesBySlug } from '../../support/deals.ts';
import { asCarried, toldBy } from '../../support/facts.ts';

let clock = () => new Date();
const app = await startApp({ now: () => clock() });

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

describe('201', () => {
  test('a deal with a name alone begins in the first open stage of the default pipeline', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal({ name: ' 基幹システム更新 ' });
    assert.equal(deal.object, 'crm.deal');
    assert.equal(deal.name, '基幹システム更新');
    assert.deepEqual([deal.pipeline_id, deal.stage_id], [sales.pipeline.id, sales.stage.lead]);
    assert.deepEqual([deal.stage_slug, deal.status, deal.probability], ['lead', 'open', 10]);
    assert.deepEqual([deal.amount, deal.currency, deal.weighted_amount], [0, 'JPY', 0]);
    assert.deepEqual([deal.owner_id, deal.created_by], [sales.user_id, sales.user_id]);
    assert.deepEqual([deal.contact_ids, deal.tags, deal.days_in_stage, deal.is_stale], [[], [], 0, false]);
    assert.equal(deal.stage_entered_at, deal.created_at);
    assert.deepEqual((await sales.get(`/crm/deals/${deal.id}`)).body.deal, deal);
  });

  test('a deal with everything is read back as it was answered', async () => {
    const sales = await newSales(app);
    const company = await sales.make('/crm/companies', { name: '山田商店' });
    const contacts = [];
    for (const last_name of ['山田', '林']) {
      contacts.push(await sales.make('/crm/contacts', { first_name: '花子', last_name }));
    }
    await sales.make('/crm/custom-fields', { kind: 'deal', key: 'rank', label: '格', type: 'text' });
    const deal = await sales.deal({
      pipeline_id: sales.pipeline.id,
      stage_id: sales.stage.closed_lost,
      amount: '1234567.80',
      currency: 'USD',
      probability: 33,
      expected_close_date: '2026-12-31',
      owner_id: null,
      company_id: company.id,
      contact_ids: contacts.map(({ id }) => id).toReversed(),
      lost_reason: '予算',
      source: '展示会',
      custom_fields: { rank: 'A' },
      external_id: 'D-1',
    });
    assert.deepEqual([deal.amount, deal.weighted_amount], ['1234567.80', '407407.37']);
    assert.deepEqual([deal.status, deal.lost_reason, deal.closed_at], ['lost', '予算', deal.created_at]);
    assert.deepEqual(deal.contact_ids, contacts.map(({ id }) => id).toReversed());
    assert.deepEqual((await sales.get(`/crm/deals/${deal.id}`)).body.deal, deal);
  });

  test('amounts never pass through binary floating point', async () => {
    const sales = await newSales(app);
    const reply = await sales.send(
      'POST',
      '/crm/deals',
      '{ "name": "x", "amount": 9007199254740.93, "currency": "USD" }',
    );
    assert.equal(reply.body.deal.amount, '9007199254740.93');
    const yen = await sales.deal({ amount: 9_999_999_999_999, probability: 50 });
    assert.deepEqual([yen.amount, yen.weighted_amount], [9_999_999_999_999, 5_000_000_000_000]);
    const dinar = await sales.deal({ amount: '0.005', currency: 'KWD', probability: 10 });
    assert.deepEqual([dinar.amount, dinar.weighted_amount], ['0.005', '0.001']);
  });

  test('a stage of another pipeline brings its pipeline along', async () => {
    const sales = await newSales(app);
    const other = await sales.make('/crm/pipelines', { name: 'Q' });
    const deal = await sales.deal({ stage_id: stagesBySlug(other).proposal });
    assert.equal(deal.pipeline_id, other.id);
  });

  test('it says that it was made, once', async () => {
    const sales = await newSales(app);
    let deal = {};
    const told = await toldBy(app, sales.organization_id, async () => {
      deal = await sales.deal();
    });
    assert.deepEqual(told.events, [
      { type: 'crm.deal.created', data: asCarried(deal), previous_attributes: null },
    ]);
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => [entity_type, action]),
      [['deal', 'create']],
    );
  });
});

describe('200 to a change', () => {
  test('only the fields sent change, and null clears', async () => {
    const sales = await newSales(app);
    const before = await sales.deal({ source: '紹介', expected_close_date: '2026-01-31', amount: 10 });
    const { status, body } = await sales.patch(`/crm/deals/${before.id}`, { source: null, amount: 20 });
    assert.equal(status, 200);
    const { updated_at } = body.deal;
    assert.ok(updated_at > before.updated_at);
    assert.deepEqual(body.deal, { ...before, source: null, amount: 20, weighted_amount: 2, updated_at });
  });

  test('one that changes nothing records nothing', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal({ amount: '5' });
    const told = await toldBy(app, sales.organization_id, async () => {
      for (const body of [{}, { name: '更新' }, { stage_id: deal.stage_id }, { amount: '5.0' }]) {
        const reply = await sales.patch(`/crm/deals/${deal.id}`, body);
        assert.deepEqual([reply.status, reply.body.deal], [200, deal]);
      }
      assert.equal((await sales.post(`/crm/deals/${deal.id}/move`, {})).status, 200);
    });
    assert.deepEqual(told, { events: [], audit: [] });
  });

  test('the probability is that of the stage until the deal sets one, and again when it is cleared', async () => {
    const sales = await newSales(app);
    const { id } = await sales.deal({ amount: 1000 });
    const patch = async (body: unknown) => (await sales.patch(`/crm/deals/${id}`, body)).body.deal;
    assert.equal((await patch({ stage_id: sales.stage.proposal })).weighted_amount, 500);
    assert.equal((await patch({ probability: 50 })).probability, 50);
    assert.equal((await patch({ stage_id: sales.stage.negotiation })).probability, 50);
    assert.equal((await patch({ probability: null })).probability, 80);
  });

  test('contacts are replaced in the order sent', async () => {
    const sales = await newSales(app);
    const ids: string[] = [];
    for (const last_name of ['A', 'B', 'C']) {
      ids.push((await sales.make('/crm/contacts', { first_name: 'X', last_name })).id);
    }
    const deal = await sales.deal({ contact_ids: ids.slice(0, 2) });
    const swapped = [ids[2], ids[0]];
    const reply = await sales.patch(`/crm/deals/${deal.id}`, { contact_ids: swapped });
    assert.deepEqual(reply.body.deal.contact_ids, swapped);
    assert.deepEqual((await sales.get(`/crm/deals/${deal.id}`)).body.deal.contact_ids, swapped);
    const found = await sales.get(`/crm/deals?contact_id=${ids[2]}`);
    assert.deepEqual([found.body.total, found.body.items[0].contact_ids], [1, swapped]);
    assert.equal((await sales.get(`/crm/deals?contact_id=${ids[1]}`)).body.total, 0);
  });

  test('a deal that is deleted is gone; its activities lose the link', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    const told = await toldBy(app, sales.organization_id, async () => {
      assert.deepEqual((await sales.delete(`/crm/deals/${deal.id}`)).body, { success: true });
    });
    assert.deepEqual(told.events, [
      { type: 'crm.deal.deleted', data: asCarried(deal), previous_attributes: null },
    ]);
    assert.equal((await sales.delete(`/crm/deals/${deal.id}`)).status, 404);
  });

  test('days in a stage and staleness follow the clock', async () => {
    const sales = await newSales(app);
    const stages = [{ name: 'A', slug: 'a', stale_after_days: 3 }];
    const other = await sales.make('/crm/pipelines', { name: 'Q', stages });
    const { id } = await sales.deal({ pipeline_id: other.id });
    const start = Date.now();
    const after = async (days: number) => {
      clock = () => new Date(start + days * 86_400_000 + 60_000);
      const { days_in_stage, is_stale } = (await sales.get(`/crm/deals/${id}`)).body.deal;
      clock = () => new Date();
      return [days_in_stage, is_stale];
    };
    assert.deepEqual(
      [await after(2), await after(3)],
      [
        [2, false],
        [3, true],
      ],
    );
  });
});

describe('200 to a list', () => {
  test('search finds the name and the company, also by one letter and by its new name', async () => {
    const sales = await newSales(app);
    const company = await sales.make('/crm/companies', { name: '林製作所', name_kana: 'ハヤシセイサクショ' });
    await sales.deal({ name: '複合機', company_id: company.id });
    await sales.deal({ name: '電話機' });
    const search = async (text: string) =>
      names(await sales.get(`/crm/deals?search=${encodeURIComponent(text)}`));
    assert.deepEqual(await search('林'), ['複合機']);
    assert.deepEqual(await search('はやし'), ['複合機']);
    assert.deepEqual(await search('機'), ['電話機', '複合機']);
    assert.deepEqual(await search('%'), []);
    await sales.patch(`/crm/companies/${company.id}`, { name: '森製作所', name_kana: null });
    assert.deepEqual([await search('林'), await search('森製')], [[], ['複合機']]);
  });

  test('filters keep what belongs to them', async () => {
    const sales = await newSales(app);
    const other = await sales.make('/crm/pipelines', { name: 'Q' });
    const company = await sales.make('/crm/companies', { name: 'C' });
    const tag = await sales.make('/crm/tags', { name: '重要' });
    const won = await sales.deal({ name: 'won', stage_id: sales.stage.closed_won, company_id: company.id });
    await sales.deal({ name: 'other', pipeline_id: other.id, owner_id: null });
    await sales.make('/crm/tag-assignments', { tag_id: tag.id, resource_type: 'deal', resource_id: won.id });
    const by = async (filter: string) => names(await sales.get(`/crm/deals?${filter}`));
    assert.deepEqual(await by(`pipeline_id=${other.id}`), ['other']);
    assert.deepEqual(await by(`stage_id=${sales.stage.closed_won}`), ['won']);
    assert.deepEqual(await by('status=won'), ['won']);
    assert.deepEqual(await by(`company_id=${company.id}`), ['won']);
    assert.deepEqual(await by(`owner_id=${sales.user_id}`), ['won']);
    assert.deepEqual(await by(`tag_id=${tag.id}`), ['won']);
    const [tagged] = (await sales.get('/crm/deals?status=won')).body.items;
    assert.deepEqual(tagged.tags, [{ id: tag.id, name: '重要', color: '#6B7280' }]);
  });

  test('sorts by each field, missing dates last', async () => {
    const sales = await newSales(app);
    await sales.deal({ name: 'い', amount: 3, probability: 20, expected_close_date: '2026-02-01' });
    await sales.deal({ name: 'ア', amount: 20, probability: 30 });
    await sales.deal({ name: 'う', amount: 100, probability: 5, expected_close_date: '2026-01-01' });
    const by = async (sort: string) => names(await sales.get(`/crm/deals?sort=${sort}`)).join('');
    assert.equal(await by('name:asc'), 'アいう');
    assert.equal(await by('amount:desc'), 'うアい');
    assert.equal(await by('expected_close_date:asc'), 'ういア');
    assert.equal(await by('probability:asc'), 'ういア');
    assert.equal(await by('created_at:asc'), 'いアう');
    const first = await sales.get('/crm/deals?sort=expected_close_date:asc&cursor_mode=true&limit=2');
    const next = await sales.get(
      `/crm/deals?sort=expected_close_date:asc&limit=2&starting_after=${first.body.data[1].id}`,
    );
    assert.deepEqual([next.body.data[0].name, next.body.has_more], ['ア', false]);
  });
});
