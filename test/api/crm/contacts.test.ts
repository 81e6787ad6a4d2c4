import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

describe('POST /crm/contacts', () => {
  test('201: answers the contact, with its place and the name as it is said', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/contacts', {
      first_name: '花子',
      last_name: '山田',
      email: 'h@example.com',
    });
    assert.equal(reply.status, 201, reply.text);
    const { contact } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/crm/contacts/${contact.id}`);
    assert.equal(contact.full_name, '山田 花子');
    assert.equal(contact.owner_id, client.actor.user_id);
    const read = await client.get(`/crm/contacts/${contact.id}`);
    assert.deepEqual(read.body, reply.body);
  });

  test('201: the same key makes one contact, and says that it repeats itself', async () => {
    const client = await app.actor();
    const send = () =>
      client.post('/crm/contacts', { first_name: 'Ann', last_name: 'Lee' }, { 'Idempotency-Key': 'one' });
    const first = await send();
    const second = await send();
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal((await client.get('/crm/contacts')).body.total, 1);
  });

  test('422: names every fault at its place', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/contacts', { first_name: '   ', nickname: 'Bo', email: 'no' });
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.body.code, 'validation_failed');
    const faults = reply.body.errors.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
    assert.deepEqual(faults.sort(), [
      '/email invalid_format',
      '/first_name too_short',
      '/last_name required',
      '/nickname unknown_field',
    ]);
  });
});

describe('PATCH /crm/contacts/{id}', () => {
  test('200: changes the fields sent and clears with null', async () => {
    const client = await app.actor();
    const { body } = await client.post('/crm/contacts', {
      first_name: 'A',
      last_name: 'B',
      phone: '03-1',
      note: 'x',
    });
    const reply = await client.patch(`/crm/contacts/${body.contact.id}`, { phone: null, first_name: '華' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.contact.phone, null);
    assert.equal(reply.body.contact.note, 'x');
    assert.equal(reply.body.contact.full_name, 'B 華');
    assert.ok(reply.body.contact.updated_at > body.contact.updated_at);
  });

  test('412: two with one If-Match never both succeed', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const path = `/crm/contacts/${made.body.contact.id}`;
    const etag = made.headers.get('etag')!;
    const replies = await Promise.all(
      ['x', 'y'].map((note) => client.patch(path, { note }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });
});

describe('GET /crm/contacts', () => {
  test('200: finds names of two letters, in all three forms', async () => {
    const client = await app.actor();
    await client.post('/crm/contacts', { first_name: '太郎', last_name: '田中' });
    await client.post('/crm/contacts', { first_name: '花子', last_name: '林', last_name_kana: 'ハヤシ' });
    const offset = await client.get(`/crm/contacts?search=${encodeURIComponent('はや')}`);
    assert.equal(offset.body.total, 1);
    assert.equal(offset.body.items[0].last_name, '林');
    const page = await client.get('/crm/contacts?page=1&per_page=1');
    assert.deepEqual(page.body.pagination, { page: 1, per_page: 1, total: 2, total_pages: 2 });
    const cursor = await client.get(`/crm/contacts?starting_after=${page.body.data[0].id}`);
    assert.deepEqual(
      cursor.body.data.map(({ last_name }: { last_name: string }) => last_name),
      ['田中'],
    );
    assert.equal(cursor.body.has_more, false);
  });
});
