import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

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
    await client.patch(`/crm/tags/${tag.id}`, { name: 'new', color: '#000000' });
    const read = (await client.get(`/crm/companies/${company.id}`)).body.company;
    assert.deepEqual(read.tags, [{ id: tag.id, name: 'new', color: '#000000' }]);
    assert.equal(read.updated_at, company.updated_at);
  });

  test('DELETE takes the tag from its records', async () => {
    const client = await app.actor();
    const tag = await make(client, 'gone');
    const { company } = (await client.post('/crm/companies', { name: 'X' })).body;
    await client.post('/crm/tag-assignments', {
      tag_id: tag.id,
      resource_type: 'company',
      resource_id: company.id,
    });
    assert.deepEqual((await client.delete(`/crm/tags/${tag.id}`)).body, { success: true });
    assert.deepEqual((await client.get(`/crm/companies/${company.id}`)).body.company.tags, []);
    assert.equal((await client.delete(`/crm/tags/${tag.id}`)).status, 404);
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
