import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

describe('POST /mail/contacts', () => {
  test('201: answers the contact, active, with its name as it is said', async () => {
    const client = await app.actor();
    const reply = await client.post('/mail/contacts', {
      email: 'Hanako.Yamada@example.co.jp',
      first_name: '花子',
      last_name: '山田',
      attributes: { 会社名: '山田商店', b: '2', aa: '1' },
      consent: { basis: 'consent', source: '展示会', at: '2026-04-01T09:30:00+09:00' },
    });
    assert.equal(reply.status, 201, reply.text);
    const { contact } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/mail/contacts/${contact.id}`);
    assert.deepEqual(contact, {
      id: contact.id,
      object: 'mail.contact',
      email: 'Hanako.Yamada@example.co.jp',
      first_name: '花子',
      last_name: '山田',
      full_name: '山田 花子',
      status: 'active',
      status_reason: null,
      list_ids: [],
      attributes: { 会社名: '山田商店', b: '2', aa: '1' },
      external_id: null,
      metadata: {},
      consent: {
        basis: 'consent',
        source: '展示会',
        at: '2026-04-01T00:30:00.000Z',
        text: null,
        tracking: false,
      },
      crm_contact_id: null,
      last_sent_at: null,
      last_opened_at: null,
      last_clicked_at: null,
      unsubscribed_at: null,
      created_at: contact.created_at,
      updated_at: contact.created_at,
    });
    const read = await client.get(`/mail/contacts/${contact.id}`);
    assert.deepEqual(read.body, reply.body);
  });

  test('201: into a list, which counts it', async () => {
    const client = await app.actor();
    const { list } = (await client.post('/mail/lists', { name: 'お知らせ' })).body;
    const { contact } = (await client.post('/mail/contacts', { email: 'a@example.com', list_id: list.id }))
      .body;
    assert.deepEqual(contact.list_ids, [list.id]);
    assert.equal(contact.full_name, null);
    const counted = (await client.get(`/mail/lists/${list.id}`)).body.list;
    assert.deepEqual([counted.contact_count, counted.active_count], [1, 1]);
    assert.equal(counted.updated_at, list.updated_at);
  });

  test('201: shows the oldest CRM contact with the same e-mail, whatever the case', async () => {
    const client = await app.actor();
    const person = { first_name: 'A', last_name: 'B', email: 'Same@example.com' };
    const oldest = (await client.post('/crm/contacts', person)).body.contact;
    await client.post('/crm/contacts', person);
    const { contact } = (await client.post('/mail/contacts', { email: 'sAME@example.com' })).body;
    assert.equal(contact.crm_contact_id, oldest.id);
    await client.delete(`/crm/contacts/${oldest.id}`);
    const read = (await client.get(`/mail/contacts/${contact.id}`)).body.contact;
    assert.notEqual(read.crm_contact_id, oldest.id);
    assert.ok(read.crm_contact_id);
  });

  test('409: a known e-mail is told without regard to case, with the ID of its contact', async () => {
    const client = await app.actor();
    const { contact } = (await client.post('/mail/contacts', { email: 'one@example.com' })).body;
    const reply = await client.post('/mail/contacts', { email: 'ONE@Example.com' });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'already_exists');
    assert.equal(reply.body.contact_id, contact.id);
    assert.equal(reply.body.errors[0].path, '/email');
    assert.equal((await client.get('/mail/contacts')).body.total, 1);
  });

  test('409: of twenty at once with one e-mail one is made, and the others name it', async () => {
    const client = await app.actor();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/mail/contacts', { email: 'race@example.com' })),
    );
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    const refused = replies.filter(({ status }) => status === 409);
    assert.equal(refused.length, 19);
    for (const { body } of refused) assert.equal(body.contact_id, made[0]!.body.contact.id);
  });

  test('409: a suppressed address is refused, with the suppression', async () => {
    const client = await app.actor();
    const { suppression } = (await client.post('/mail/suppressions', { email: 'no@example.com' })).body;
    const reply = await client.post('/mail/contacts', { email: 'NO@example.com' });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'suppressed');
    assert.equal(reply.body.suppression_id, suppression.id);
  });

  test('422: a list of another organization', async () => {
    const [client, other] = [await app.actor(), await app.actor()];
    const { list } = (await other.post('/mail/lists', { name: 'ours' })).body;
    const reply = await client.post('/mail/contacts', { email: 'a@example.com', list_id: list.id });
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.body.code, 'unknown_reference');
    assert.equal(reply.body.errors[0].path, '/list_id');
    assert.equal((await client.get('/mail/contacts')).body.total, 0);
  });

  test('422: names every fault at its place', async () => {
    const client = await app.actor();
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, 'x']));
    const reply = await client.post('/mail/contacts', {
      email: 'ｆｕｌｌ＠example.com',
      nickname: 'Bo',
      attributes: many,
      consent: { basis: 'because', source: 'x' },
    });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(faultsOf(reply.body), [
      '/attributes too_many',
      '/consent/at required',
      '/consent/basis invalid_value',
      '/email invalid_format',
      '/nickname unknown_field',
    ]);
    const missing = await client.post('/mail/contacts', { first_name: 'A' });
    assert.deepEqual(faultsOf(missing.body), ['/email required']);
  });
});

describe('PATCH /mail/contacts/{id}', () => {
  test('200: changes the fields sent, clears with null, and finds it by its new name', async () => {
    const client = await app.actor();
    const made = (
      await client.post('/mail/contacts', { email: 'a@example.com', first_name: '太郎', last_name: '鰻田' })
    ).body.contact;
    const path = `/mail/contacts/${made.id}`;
    const reply = await client.patch(path, {
      first_name: null,
      last_name: '勅使河原',
      attributes: { a: '1' },
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.contact.full_name, '勅使河原');
    assert.deepEqual(reply.body.contact.attributes, { a: '1' });
    assert.ok(reply.body.contact.updated_at > made.updated_at);
    const found = async (term: string) =>
      (await client.get(`/mail/contacts?search=${encodeURIComponent(term)}`)).body.total;
    assert.equal(await found('使河'), 1);
    assert.equal(await found('鰻'), 0);
  });

  test('200: what changes nothing leaves no trace', async () => {
    const client = await app.actor();
    const fields = {
      email: 'a@example.com',
      attributes: { 会社: 'x', abcd: 'y' },
      consent: { basis: 'published', at: '2026-01-01T00:00:00Z' },
    };
    const made = (await client.post('/mail/contacts', fields)).body.contact;
    const reply = await client.patch(`/mail/contacts/${made.id}`, fields);
    assert.deepEqual(reply.body.contact, made);
    const entries = await client.get('/mail/audit-logs?action=update');
    assert.equal(entries.body.total, 0);
  });

  test('200: another e-mail leads to another CRM contact; 409 when it is known', async () => {
    const client = await app.actor();
    const person = { first_name: 'A', last_name: 'B', email: 'crm@example.com' };
    const crm = (await client.post('/crm/contacts', person)).body.contact;
    const first = (await client.post('/mail/contacts', { email: 'a@example.com' })).body.contact;
    const second = (await client.post('/mail/contacts', { email: 'b@example.com' })).body.contact;
    const moved = await client.patch(`/mail/contacts/${first.id}`, { email: 'CRM@example.com' });
    assert.equal(moved.body.contact.crm_contact_id, crm.id);
    const refused = await client.patch(`/mail/contacts/${first.id}`, { email: 'B@example.com' });
    assert.equal(refused.status, 409, refused.text);
    assert.equal(refused.body.contact_id, second.id);
    const renamed = await client.patch(`/mail/contacts/${second.id}`, { email: 'B@Example.com' });
    assert.equal(renamed.body.contact.email, 'B@Example.com');
  });

  test('412: two with one If-Match never both succeed', async () => {
    const client = await app.actor();
    const made = await client.post('/mail/contacts', { email: 'a@example.com' });
    const path = `/mail/contacts/${made.body.contact.id}`;
    const etag = made.headers.get('etag')!;
    const replies = await Promise.all(
      ['x', 'y'].map((first_name) => client.patch(path, { first_name }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });
});

describe('GET /mail/contacts', () => {
  test('200: finds by name and by e-mail, in all three forms, twenty unless said', async () => {
    const client = await app.actor();
    for (let n = 0; n < 22; n += 1) {
      await client.post('/mail/contacts', {
        email: `person${n}@example.com`,
        last_name: n % 2 ? '林' : 'Lee',
      });
    }
    const offset = await client.get('/mail/contacts');
    assert.equal(offset.body.items.length, 20);
    assert.equal(offset.body.total, 22);
    assert.equal((await client.get('/mail/contacts?limit=101')).status, 422);
    const named = await client.get(`/mail/contacts?page=1&per_page=5&search=${encodeURIComponent('林')}`);
    assert.deepEqual(named.body.pagination, { page: 1, per_page: 5, total: 11, total_pages: 3 });
    const addressed = await client.get('/mail/contacts?search=PERSON7%40');
    assert.deepEqual(addressed.body.items.map(emailOf), ['person7@example.com']);
    const cursor = await client.get('/mail/contacts?cursor_mode=true&limit=21&search=example');
    assert.equal(cursor.body.has_more, true);
    const rest = await client.get(
      `/mail/contacts?search=example&starting_after=${cursor.body.data.at(-1).id}`,
    );
    assert.deepEqual(rest.body.data.map(emailOf), ['person0@example.com']);
    const sorted = await client.get('/mail/contacts?sort=email:desc&limit=2');
    assert.deepEqual(sorted.body.items.map(emailOf), ['person9@example.com', 'person8@example.com']);
  });

  test('200: leaves those of a list and of a status', async () => {
    const client = await app.actor();
    const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
    const add = async (email: string, fields = {}) =>
      (await client.post('/mail/contacts', { email, ...fields })).body.contact;
    const gone = await add('gone@example.com', { list_id: list.id });
    await add('in@example.com', { list_id: list.id });
    await add('out@example.com');
    await client.patch(`/mail/contacts/${gone.id}`, { status: 'unsubscribed' });
    const emails = async (query: string) =>
      (await client.get(`/mail/contacts?${query}`)).body.items.map(emailOf);
    assert.deepEqual(await emails(`list_id=${list.id}`), ['in@example.com', 'gone@example.com']);
    assert.deepEqual(await emails(`list_id=${list.id}&status=unsubscribed`), ['gone@example.com']);
    assert.deepEqual(await emails('status=active&sort=email'), ['in@example.com', 'out@example.com']);
    assert.deepEqual(await emails(`list_id=${list.id}&search=in%40`), ['in@example.com']);
    assert.deepEqual(await emails('status=bounced'), []);
    assert.equal((await client.get('/mail/contacts?status=sleeping')).status, 422);
  });
});

function faultsOf(body: { errors: { path: string; code: string }[] }): string[] {
  return body.errors.map(({ path, code }) => `${path} ${code}`).sort();
}

function emailOf({ email }: { email: string }): string {
  return email;
}
