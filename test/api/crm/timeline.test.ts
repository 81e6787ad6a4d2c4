import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSales, type Sales } from '../../support/deals.ts';
import { faultsIn } from '../../support/facts.ts';

// Each look at the clock is a second later, so that the order of what happens is the order of its times.
let tick = Date.parse('2026-04-01T00:00:00Z');
const app = await startApp({
  now: () => {
    tick += 1000;
    return new Date(tick);
  },
});

type Item = {
  type: string;
  id: string;
  occurred_at: string;
  actor: Record<string, unknown>;
  data: Record<string, unknown>;
};

async function timelineOf(sales: Sales, query: string): Promise<Item[]> {
  const reply = await sales.get(`/crm/timeline?${query}`);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.has_more, false);
  return reply.body.data;
}

/** What an item is about, in a word or two. */
function told({ type, data }: Item): string {
  if (type === 'activity') return `activity ${data['content']}`;
  const fields =
    data['action'] === 'update'
      ? Object.keys(data['changes'] as object)
          .sort()
          .join()
      : '';
  return `${type} ${data['entity_type']} ${data['action']} ${fields}`.trim();
}

describe('200', () => {
  test('a deal shows its activities, stages and fields, the latest first', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal({ probability: 10 });
    await sales.patch(`/crm/deals/${deal.id}`, { source: '紹介' });
    await sales.patch(`/crm/deals/${deal.id}`, { stage_id: sales.stage.proposal });
    const note = await sales.make('/crm/activities', { type: 'note', content: 'n', deal_id: deal.id });
    const early = { type: 'call', content: 'c', deal_id: deal.id, occurred_at: '2020-01-01T00:00:00Z' };
    await sales.make('/crm/activities', early);
    await sales.make('/crm/activities', { type: 'note', content: 'of nobody' });
    const items = await timelineOf(sales, `deal_id=${deal.id}`);
    assert.deepEqual(items.map(told), [
      'activity n',
      'stage_change deal update position,stage_entered_at,stage_id,stage_slug',
      'field_change deal update source',
      'field_change deal create',
      'activity c',
    ]);
    assert.deepEqual(items[0]!.data, note);
    assert.deepEqual(items[0]!.actor, { type: 'user', id: sales.user_id });
    assert.equal(items[1]!.actor['type'], 'api_key');
    const changes = items[1]!.data['changes'] as Record<string, unknown>;
    assert.deepEqual(changes['stage_slug'], ['lead', 'proposal']);
    assert.equal(items.at(-1)!.occurred_at, '2020-01-01T00:00:00.000Z');
  });

  test('a company and a contact show the activities and stages of their deals beside their own', async () => {
    const sales = await newSales(app);
    const company = await sales.make('/crm/companies', { name: 'C' });
    const contact = await sales.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const links = { company_id: company.id, contact_ids: [contact.id] };
    const deal = await sales.deal(links);
    await sales.patch(`/crm/deals/${deal.id}`, { source: 'x' });
    await sales.patch(`/crm/deals/${deal.id}`, { stage_id: sales.stage.closed_won });
    await sales.make('/crm/activities', { type: 'note', content: 'd', deal_id: deal.id });
    const both = { company_id: company.id, contact_id: contact.id, deal_id: deal.id };
    await sales.make('/crm/activities', { type: 'note', content: 'b', ...both });
    await sales.patch(`/crm/companies/${company.id}`, { city: '千代田区' });
    await sales.patch(`/crm/contacts/${contact.id}`, { position: '部長' });
    const shown = async (query: string) =>
      (await timelineOf(sales, query)).map((item) => told(item).slice(0, 30).trim());
    const common = ['activity b', 'activity d', 'stage_change deal update close'];
    assert.deepEqual(await shown(`company_id=${company.id}`), [
      'field_change company update ci',
      ...common,
      'field_change company create',
    ]);
    assert.deepEqual(await shown(`contact_id=${contact.id}`), [
      'field_change contact update po',
      ...common,
      'field_change contact create',
    ]);
  });

  test('page by page it is the same as at once, also where several things happened in one millisecond', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    const [first] = await timelineOf(sales, `deal_id=${deal.id}`);
    for (let n = 0; n < 9; n += 1) {
      const occurred_at = n % 3 ? first!.occurred_at : new Date(tick + n).toISOString();
      await sales.make('/crm/activities', { type: 'note', content: `${n}`, deal_id: deal.id, occurred_at });
      await sales.patch(`/crm/deals/${deal.id}`, { source: `${n}` });
    }
    const whole = (await timelineOf(sales, `deal_id=${deal.id}&limit=200`)).map(({ id }) => id);
    assert.equal(whole.length, 19);
    for (const limit of [1, 4]) {
      const pages: string[] = [];
      let after = '';
      for (let more = true; more; ) {
        const { body } = await sales.get(`/crm/timeline?deal_id=${deal.id}&limit=${limit}${after}`);
        pages.push(...body.data.map(({ id }: Item) => id));
        after = `&starting_after=${pages.at(-1)}`;
        more = body.has_more;
        assert.equal(body.data.length, more ? limit : body.data.length);
      }
      assert.deepEqual(pages, whole);
    }
  });

  test('after an ID of a time that no database keeps it is whole', async () => {
    const sales = await newSales(app);
    const { id } = await sales.make('/crm/companies', { name: 'C' });
    const whole = await timelineOf(sales, `company_id=${id}`);
    assert.equal(whole.length, 1);
    const latest = `aud_7${'z'.repeat(25)}`;
    assert.deepEqual(await timelineOf(sales, `company_id=${id}&starting_after=${latest}`), whole);
  });

  test('what happened to a deleted record can still be read; strangers read nothing', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const deal = await sales.deal();
    await sales.delete(`/crm/deals/${deal.id}`);
    const items = await timelineOf(sales, `deal_id=${deal.id}`);
    assert.deepEqual(items.map(told), ['field_change deal delete', 'field_change deal create']);
    assert.deepEqual(await timelineOf(stranger, `deal_id=${deal.id}`), []);
  });

  test('a merged company brings its history along', async () => {
    const sales = await newSales(app);
    const [winner, loser] = [
      await sales.make('/crm/companies', { name: 'W' }),
      await sales.make('/crm/companies', { name: 'L' }),
    ];
    await sales.make('/crm/activities', { type: 'note', content: 'l', company_id: loser.id });
    const merge = await sales.post(`/crm/companies/${winner.id}/merge`, { loser_id: loser.id });
    assert.equal(merge.status, 200, merge.text);
    const items = (await timelineOf(sales, `company_id=${winner.id}`)).map(told);
    assert.ok(items.includes('activity l'));
    assert.ok(items.includes('field_change company delete'));
    assert.deepEqual((await timelineOf(sales, `company_id=${loser.id}`)).map(told), items);
  });
});

describe('400', () => {
  test('a cursor of another kind, or one whose activity is gone', async () => {
    const sales = await newSales(app);
    const deal = await sales.deal();
    const gone = await sales.make('/crm/activities', { type: 'note', content: 'x' });
    await sales.delete(`/crm/activities/${gone.id}`);
    for (const cursor of [deal.id, gone.id, 'x']) {
      const reply = await sales.get(`/crm/timeline?deal_id=${deal.id}&starting_after=${cursor}`);
      assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_cursor']);
    }
  });
});

describe('422', () => {
  test('no subject, two subjects, or a form of paging that it does not have', async () => {
    const sales = await newSales(app);
    const [deal, company] = [await sales.deal(), await sales.make('/crm/companies', { name: 'C' })];
    const faults = async (query: string) => {
      const reply = await sales.get(`/crm/timeline?${query}`);
      return [reply.status, ...faultsIn(reply.body)];
    };
    assert.deepEqual(await faults(''), [422, 'company_id required']);
    const both = `deal_id=${deal.id}&company_id=${company.id}`;
    assert.deepEqual(await faults(both), [422, 'deal_id mutually_exclusive']);
    assert.deepEqual(await faults(`deal_id=${deal.id}&offset=1`), [422, 'offset unknown_parameter']);
    assert.deepEqual(await faults(`deal_id=${deal.id}&limit=201`), [422, 'limit too_large']);
  });
});
