import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FACTS_TOGETHER } from '../../../shared/kernel/work.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { newSales } from '../../support/deals.ts';
import { asCarried, faultsIn, toldBy, toldSoFar } from '../../support/facts.ts';

const app = await startApp();

async function make(client: Client, name: string, fields: Record<string, unknown> = {}) {
  const reply = await client.post('/crm/tags', { name, ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.tag;
}

describe('201', () => {
  test('a tag has grey for its colour unless said, and is carried by nothing', async () => {
    const client = await app.actor();
    const tag = await make(client, ' 重要 ');
    assert.deepEqual([tag.object, tag.name, tag.color, tag.usage_count], ['crm.tag', '重要', '#6B7280', 0]);
    assert.deepEqual((await client.get(`/crm/tags/${tag.id}`)).body.tag, tag);
    assert.equal((await make(client, '急ぎ', { color: '#ff0000' })).color, '#ff0000');
  });

  test('makes an audit entry and no event', async () => {
    const client = await app.actor();
    const told = await toldBy(app, client.actor.organization_id, () => make(client, 'A'));
    assert.deepEqual(told.events, []);
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`),
      ['tag create'],
    );
  });
});

describe('200', () => {
  test('PATCH changes name and colour, also only the case of the name', async () => {
    const client = await app.actor();
    const tag = await make(client, 'vip');
    const reply = await client.patch(`/crm/tags/${tag.id}`, { name: 'VIP' });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.tag.name, reply.body.tag.color], ['VIP', '#6B7280']);
    const told = await toldBy(app, client.actor.organization_id, () =>
      client.patch(`/crm/tags/${tag.id}`, {}),
    );
    assert.deepEqual(told, { events: [], audit: [] });
  });

  test('the list counts what carries each tag, and sorts by name', async () => {
    const client = await app.actor();
    const [b, a] = [await make(client, 'b'), await make(client, 'A')];
    const { company } = (await client.post('/crm/companies', { name: 'X' })).body;
    await client.post('/crm/tag-assignments', {
      tag_id: b.id,
      resource_type: 'company',
      resource_id: company.id,
    });
    const reply = await client.get('/crm/tags?sort=name');
    assert.deepEqual(
      reply.body.items.map((one: { id: string; usage_count: number }) => [one.id, one.usage_count]),
      [
        [a.id, 0],
        [b.id, 1],
      ],
    );
  });

  test('a renamed tag shows on its records, which do not count as changed', async () => {
    const client = await app.actor();
    const tag = await make(client, 'old');
    const { company } = (await client.post('/crm/companies', { name: 'X' })).body;
    await client.post('/crm/tag-assignments', {
      tag_id: tag.id,
      resource_type: 'company',
      resource_id: company.id,
    });
    const tagged = (await client.get(`/crm/companies/${company.id}`)).body.company;
    const told = await toldBy(app, client.actor.organization_id, () =>
      client.patch(`/crm/tags/${tag.id}`, { name: 'new', color: '#000000' }),
    );
    assert.deepEqual(told.events, []);
    const read = (await client.get(`/crm/companies/${company.id}`)).body.company;
    assert.deepEqual(read.tags, [{ id: tag.id, name: 'new', color: '#000000' }]);
    assert.equal(read.updated_at, tagged.updated_at);
  });

  test('DELETE takes the tag from its records of all kinds, more than are told at once, each of which changes', async () => {
    const sales = await newSales(app);
    const [tag, other] = [
      await sales.make('/crm/tags', { name: 'gone' }),
      await sales.make('/crm/tags', { name: 'o' }),
    ];
    const deal = await sales.deal();
    const contact = await sales.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const names = Array.from({ length: FACTS_TOGETHER + 1 }, (_, n) => `C${n}`);
    const companies = await Promise.all(names.map((name) => sales.make('/crm/companies', { name })));
    const put = (resource_type: string, { id }: { id: string }, { id: tag_id } = tag) =>
      sales.make('/crm/tag-assignments', { tag_id, resource_type, resource_id: id });
    await Promise.all(companies.map((company) => put('company', company)));
    await put('company', companies[0]!, other);
    await put('deal', deal);
    await put('contact', contact);
    const told = await toldBy(app, sales.organization_id, async () => {
      assert.deepEqual((await sales.delete(`/crm/tags/${tag.id}`)).body, { success: true });
    });
    const changed = [deal, contact, ...companies].map(({ id }) => id);
    assert.deepEqual(told.events.map(({ data }) => data['id']).sort(), changed.sort());
    for (const { type, data, previous_attributes } of told.events) {
      assert.match(type, /^crm\.(deal|company|contact)\.updated$/);
      assert.deepEqual(Object.keys(previous_attributes!), ['tags']);
      const kept = data['id'] === companies[0]!.id ? [{ id: other.id, name: 'o', color: '#6B7280' }] : [];
      assert.deepEqual(data['tags'], kept);
    }
    const read = (await sales.get(`/crm/companies/${companies[0]!.id}`)).body.company;
    const last = told.events.find(({ data }) => data['id'] === read.id)!;
    assert.deepEqual(last.data, asCarried(read));
    assert.equal((await sales.delete(`/crm/tags/${tag.id}`)).status, 404);
  });

  test('of a removal and assignments at once every record ends without the tag, as its last event says', async () => {
    const sales = await newSales(app);
    for (let round = 0; round < 5; round++) {
      const tag = await sales.make('/crm/tags', { name: `t${round}` });
      const companies = await Promise.all(
        Array.from({ length: 12 }, (_, n) => sales.make('/crm/companies', { name: `C${n}` })),
      );
      const assignments = companies.map(({ id: resource_id }) =>
        sales.post('/crm/tag-assignments', { tag_id: tag.id, resource_type: 'company', resource_id }),
      );
      const [removed, ...replies] = await Promise.all([sales.delete(`/crm/tags/${tag.id}`), ...assignments]);
      assert.equal(removed.status, 200, removed.text);
      for (const { status, text } of replies) assert.ok(status === 201 || status === 422, text);
      for (const { id } of companies) {
        const { company } = (await sales.get(`/crm/companies/${id}`)).body;
        assert.deepEqual(company.tags, []);
      }
      const { events } = await toldSoFar(app, sales.organization_id);
      const last = new Map(events.map(({ data }) => [data['id'], data]));
      for (const { id } of companies) assert.deepEqual(last.get(id)!['tags'], []);
    }
  });
});

describe('404', () => {
  test('a tag of another organization', async () => {
    const [client, stranger] = [await app.actor(), await app.actor()];
    const { id } = await make(stranger, 'A');
    assert.equal((await client.get(`/crm/tags/${id}`)).status, 404);
    assert.equal((await client.patch(`/crm/tags/${id}`, { name: 'B' })).status, 404);
    assert.equal((await client.delete(`/crm/tags/${id}`)).status, 404);
  });
});

describe('409', () => {
  test('already_exists: a name that differs in case and width alone', async () => {
    const client = await app.actor();
    await make(client, 'VIP');
    await make(client, 'カナ');
    const other = await make(client, 'other');
    for (const name of ['vip', 'ＶＩＰ', ' Vip ', 'ｶﾅ']) {
      for (const reply of [
        await client.post('/crm/tags', { name }),
        await client.patch(`/crm/tags/${other.id}`, { name }),
      ]) {
        assert.equal(reply.status, 409, `${name}: ${reply.text}`);
        assert.deepEqual(faultsIn(reply.body), ['/name already_exists']);
      }
    }
    await make(await app.actor(), 'VIP');
  });

  test('already_exists: of 10 that make one name at once, one does', async () => {
    const client = await app.actor();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/crm/tags', { name: 'A' })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  });
});

describe('422', () => {
  test('validation_failed at the path of each wrong value', async () => {
    const client = await app.actor();
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: '　' }, '/name too_short'],
      [{ name: 'x'.repeat(51) }, '/name too_long'],
      [{ color: 'red' }, '/color invalid_format'],
      [{ color: '#FFF' }, '/color invalid_format'],
      [{ usage_count: 1 }, '/usage_count unknown_field'],
    ];
    for (const [fields, expected] of wrong) {
      assert.deepEqual(faultsIn((await client.post('/crm/tags', { name: 'A', ...fields })).body), [expected]);
    }
    assert.deepEqual(faultsIn((await client.post('/crm/tags', {})).body), ['/name required']);
  });
});
