import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { asCarried, faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();
const rank = { kind: 'contact', key: 'rank', label: 'ランク', type: 'select', options: ['A', 'B'] };

async function define(client: Client, fields: Record<string, unknown> = rank) {
  const reply = await client.post('/crm/custom-fields', fields);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.custom_field;
}

const person = { first_name: 'A', last_name: 'B' };

describe('201', () => {
  test('a custom field is found where the answer says', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/custom-fields', rank);
    const read = await client.get(`//${reply.headers.get('location')!.slice(1)}`);
    assert.deepEqual(read.body, reply.body);
    assert.equal(read.body.custom_field.object, 'crm.custom_field');
    const bare = await define(client, { kind: 'company', key: 'rank', type: 'text' });
    assert.deepEqual([bare.label, bare.options], ['rank', []]);
  });

  test('a record takes values that fit their definitions', async () => {
    const client = await app.actor();
    await define(client);
    await define(client, { kind: 'contact', key: 'score', type: 'number' });
    await define(client, { kind: 'company', key: 'rank', type: 'text' });
    const contact = await client.post('/crm/contacts', {
      ...person,
      custom_fields: { score: 4.5, rank: 'A' },
    });
    assert.equal(contact.status, 201, contact.text);
    assert.deepEqual(contact.body.contact.custom_fields, { rank: 'A', score: 4.5 });
    const { id } = contact.body.contact;
    assert.deepEqual((await client.get(`/crm/contacts/${id}`)).body, contact.body);
    const company = await client.post('/crm/companies', { name: 'X', custom_fields: { rank: 'any' } });
    assert.deepEqual(company.body.company.custom_fields, { rank: 'any' });
  });

  test('the list can be narrowed to a kind', async () => {
    const client = await app.actor();
    const field = await define(client);
    await define(client, { kind: 'deal', key: 'rank', type: 'text' });
    assert.deepEqual((await client.get('/crm/custom-fields?kind=contact')).body.items, [field]);
    assert.equal((await client.get('/crm/custom-fields')).body.total, 2);
  });
});

describe('200', () => {
  test('PATCH of a record changes the keys sent alone, and says which', async () => {
    const client = await app.actor();
    await define(client);
    await define(client, { kind: 'contact', key: 'score', type: 'number' });
    const custom_fields = { rank: 'A', score: 1 };
    const { contact } = (await client.post('/crm/contacts', { ...person, custom_fields })).body;
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.patch(`/crm/contacts/${contact.id}`, { custom_fields: { rank: null } });
      assert.deepEqual(reply.body.contact.custom_fields, { score: 1 });
      await client.patch(`/crm/contacts/${contact.id}`, { custom_fields: { score: 1 } });
    });
    assert.equal(told.events.length, 1);
    assert.deepEqual(told.events[0]!.previous_attributes, { custom_fields });
  });

  test('PATCH changes label and options; a value whose option is gone stays', async () => {
    const client = await app.actor();
    const field = await define(client);
    const { contact } = (await client.post('/crm/contacts', { ...person, custom_fields: { rank: 'A' } }))
      .body;
    const reply = await client.patch(`/crm/custom-fields/${field.id}`, {
      options: ['B', 'C'],
      label: '等級',
    });
    assert.deepEqual([reply.body.custom_field.label, reply.body.custom_field.options], ['等級', ['B', 'C']]);
    const noted = await client.patch(`/crm/contacts/${contact.id}`, { note: 'x', custom_fields: {} });
    assert.deepEqual(noted.body.contact.custom_fields, { rank: 'A' });
    const again = await client.patch(`/crm/contacts/${contact.id}`, { custom_fields: { rank: 'A' } });
    assert.deepEqual(faultsIn(again.body), ['/custom_fields/rank invalid_value']);
  });

  test('DELETE removes the values too, and each record says so', async () => {
    const client = await app.actor();
    for (const kind of ['contact', 'company']) {
      const field = await define(client, { ...rank, kind });
      const path = kind === 'contact' ? '/crm/contacts' : '/crm/companies';
      const fields = kind === 'contact' ? person : { name: 'X' };
      const record = (await client.post(path, { ...fields, custom_fields: { rank: 'A' } })).body[kind];
      await client.post(path, fields);
      const told = await toldBy(app, client.actor.organization_id, () =>
        client.delete(`/crm/custom-fields/${field.id}`),
      );
      assert.deepEqual(
        told.events.map(({ type }) => type),
        [`crm.${kind}.updated`],
      );
      assert.deepEqual(
        told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`).sort(),
        [`${kind} update`, 'custom_field delete'].sort(),
      );
      const read = (await client.get(`${path}/${record.id}`)).body[kind];
      assert.deepEqual(read.custom_fields, {});
      assert.deepEqual(told.events[0]!.data, asCarried(read));
    }
  });
});

describe('404', () => {
  test('a custom field of another organization', async () => {
    const [client, stranger] = [await app.actor(), await app.actor()];
    const { id } = await define(stranger);
    assert.equal((await client.get(`/crm/custom-fields/${id}`)).status, 404);
    assert.equal((await client.patch(`/crm/custom-fields/${id}`, { label: 'x' })).status, 404);
    assert.equal((await client.delete(`/crm/custom-fields/${id}`)).status, 404);
    const reply = await client.post('/crm/contacts', { ...person, custom_fields: { rank: 'A' } });
    assert.deepEqual(faultsIn(reply.body), ['/custom_fields/rank unknown_field']);
  });
});

describe('409', () => {
  test('already_exists: a key twice for one kind', async () => {
    const client = await app.actor();
    await define(client);
    const reply = await client.post('/crm/custom-fields', rank);
    assert.equal(reply.status, 409);
    assert.deepEqual(faultsIn(reply.body), ['/key already_exists']);
    await define(client, { ...rank, kind: 'deal' });
  });

  test('limit_reached: the 101st of a kind, also when several come at once', async () => {
    const client = await app.actor();
    for (let n = 0; n < 98; n += 1) await define(client, { kind: 'company', key: `f${n}`, type: 'text' });
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        client.post('/crm/custom-fields', { kind: 'company', key: `g${n}`, type: 'text' }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409)!;
    assert.equal(refused.body.code, 'limit_reached');
    await define(client, { kind: 'contact', key: 'f', type: 'text' });
  });
});

describe('422', () => {
  test('validation_failed at the path of each wrong value', async () => {
    const client = await app.actor();
    const wrong: [Record<string, unknown>, string][] = [
      [{ kind: 'activity' }, '/kind invalid_value'],
      [{ key: 'Rank' }, '/key invalid_format'],
      [{ key: '1st' }, '/key invalid_format'],
      [{ key: 'x'.repeat(51) }, '/key invalid_format'],
      [{ label: ' ' }, '/label too_short'],
      [{ type: 'colour' }, '/type invalid_value'],
      [{ options: [] }, '/options required'],
      [{ options: undefined }, '/options required'],
      [{ options: ['A', 'A'] }, '/options duplicate'],
      [{ options: [1] }, '/options/0 invalid_type'],
      [{ type: 'text' }, '/options invalid_value'],
    ];
    for (const [fields, expected] of wrong) {
      const reply = await client.post('/crm/custom-fields', { ...rank, ...fields });
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), [expected]);
    }
    const { id } = await define(client);
    for (const [fields, expected] of [
      [{ options: [] }, '/options required'],
      [{ type: 'text' }, '/type unknown_field'],
      [{ key: 'other' }, '/key unknown_field'],
    ] as const) {
      assert.deepEqual(faultsIn((await client.patch(`/crm/custom-fields/${id}`, fields)).body), [expected]);
    }
  });

  test('a value that does not fit, at its key', async () => {
    const client = await app.actor();
    await define(client);
    const reply = await client.post('/crm/contacts', {
      ...person,
      custom_fields: { rank: 'C', nickname: 'x' },
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultsIn(reply.body), [
      '/custom_fields/nickname unknown_field',
      '/custom_fields/rank invalid_value',
    ]);
  });
});
