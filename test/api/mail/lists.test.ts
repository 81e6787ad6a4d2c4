import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';

const app = await startApp();

describe('/mail/lists', () => {
  test('201, 200: makes, changes, lists and removes a list', async () => {
    const client = await app.actor();
    const made = await client.post('/mail/lists', { name: 'お知らせ', description: '毎月' });
    assert.equal(made.status, 201, made.text);
    const { list } = made.body;
    assert.deepEqual(list, {
      id: list.id,
      object: 'mail.list',
      name: 'お知らせ',
      description: '毎月',
      external_id: null,
      metadata: {},
      contact_count: 0,
      active_count: 0,
      created_at: list.created_at,
      updated_at: list.created_at,
    });
    const changed = await client.patch(`/mail/lists/${list.id}`, { name: '新着', description: null });
    assert.deepEqual([changed.body.list.name, changed.body.list.description], ['新着', null]);
    await client.post('/mail/lists', { name: 'あ' });
    const listed = await client.get('/mail/lists?sort=name');
    assert.deepEqual(
      listed.body.items.map(({ name }: { name: string }) => name),
      ['あ', '新着'],
    );
    assert.deepEqual((await client.delete(`/mail/lists/${list.id}`)).body, { success: true });
    assert.equal((await client.get(`/mail/lists/${list.id}`)).status, 404);
  });

  test('409: another list has the name, whatever its case and width', async () => {
    const client = await app.actor();
    await client.post('/mail/lists', { name: 'News' });
    const reply = await client.post('/mail/lists', { name: 'ＮＥＷＳ' });
    assert.equal(reply.status, 409, reply.text);
    assert.deepEqual([reply.body.code, reply.body.errors[0].path], ['already_exists', '/name']);
  });

  test('200: a deleted list leaves its contacts', async () => {
    const { client, list_id, contact_id } = await member();
    await client.delete(`/mail/lists/${list_id}`);
    const { contact } = (await client.get(`/mail/contacts/${contact_id}`)).body;
    assert.deepEqual(contact.list_ids, []);
  });
});

describe('PUT /mail/lists/{id}/contacts/{contact_id}', () => {
  test('200: puts a contact in, once however often it is asked, and counts it', async () => {
    const client = await app.actor();
    const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
    const { contact } = (await client.post('/mail/contacts', { email: 'a@example.com' })).body;
    const path = `/mail/lists/${list.id}/contacts/${contact.id}`;
    const first = await client.put(path);
    assert.equal(first.status, 200, first.text);
    const { added_at } = first.body.membership;
    assert.deepEqual(first.body.membership, {
      list_id: list.id,
      contact_id: contact.id,
      added_at,
      unsubscribed_at: null,
    });
    assert.deepEqual([first.body.list.contact_count, first.body.list.active_count], [1, 1]);
    const second = await client.put(path);
    assert.deepEqual(second.body, first.body);
    const entries = (await client.get('/mail/audit-logs?entity_type=list_member')).body.items;
    assert.equal(entries.length, 1);
    assert.equal(entries[0].entity_id, contact.id);
  });

  test('422: not into a list that the person left, until there is a consent of later', async () => {
    const { client, list_id, contact_id } = await member();
    const left = await leave(list_id, contact_id);
    const path = `/mail/lists/${list_id}/contacts/${contact_id}`;
    const refused = await client.put(path);
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.body.code, 'consent_required');
    assert.deepEqual(await counts(client, list_id), [1, 0]);
    const contact = `/mail/contacts/${contact_id}`;
    await client.patch(contact, { consent: { basis: 'consent', at: left } });
    assert.equal((await client.put(path)).status, 422);
    const later = new Date(Date.parse(left) + 1).toISOString();
    await client.patch(contact, { consent: { basis: 'consent', at: later } });
    const joined = await client.put(path);
    assert.equal(joined.status, 200, joined.text);
    assert.equal(joined.body.membership.unsubscribed_at, null);
    assert.deepEqual(await counts(client, list_id), [1, 1]);
  });

  test('412: when the list has changed since it was read; a count is no change of it', async () => {
    const { client, list_id, contact_id } = await member();
    const etag = (await client.get(`/mail/lists/${list_id}`)).headers.get('etag')!;
    const path = `/mail/lists/${list_id}/contacts/${contact_id}`;
    assert.equal((await client.delete(path, { 'If-Match': etag })).status, 200);
    await client.patch(`/mail/lists/${list_id}`, { name: 'B' });
    assert.equal((await client.put(path, undefined, { 'If-Match': etag })).status, 412);
    assert.equal((await client.put(path)).status, 200);
  });

  test('404: a list or a contact of another organization, or none', async () => {
    const [ours, theirs] = [await member(), await member()];
    for (const [list_id, contact_id] of [
      [ours.list_id, theirs.contact_id],
      [theirs.list_id, ours.contact_id],
    ]) {
      const reply = await ours.client.put(`/mail/lists/${list_id}/contacts/${contact_id}`);
      assert.equal(reply.status, 404, reply.text);
    }
  });
});

describe('DELETE /mail/lists/{id}/contacts/{contact_id}', () => {
  test('200: takes a contact out, once', async () => {
    const { client, list_id, contact_id } = await member();
    const path = `/mail/lists/${list_id}/contacts/${contact_id}`;
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.deepEqual(await counts(client, list_id), [0, 0]);
    assert.equal((await client.delete(path)).status, 404);
  });

  test('409: a membership that the person ended stays as the record of it', async () => {
    const { client, list_id, contact_id } = await member();
    await leave(list_id, contact_id);
    const reply = await client.delete(`/mail/lists/${list_id}/contacts/${contact_id}`);
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.code, 'invalid_transition');
    assert.deepEqual(await counts(client, list_id), [1, 0]);
  });
});

describe('the counts of a list', () => {
  test('follow the status of its contacts', async () => {
    const { client, list_id, contact_id } = await member();
    const contact = `/mail/contacts/${contact_id}`;
    await client.patch(contact, { status: 'bounced' });
    assert.deepEqual(await counts(client, list_id), [1, 0]);
    await client.patch(contact, { status: 'active' });
    assert.deepEqual(await counts(client, list_id), [1, 1]);
    await client.delete(contact);
    assert.deepEqual(await counts(client, list_id), [0, 0]);
  });

  test('stay right when everybody writes at once', async () => {
    const client = await app.actor();
    const lists: string[] = [];
    for (const name of ['A', 'B', 'C']) lists.push((await client.post('/mail/lists', { name })).body.list.id);
    const contacts = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const body = { email: `p${n}@example.com`, list_id: lists[n % 3] };
        return (await client.post('/mail/contacts', body)).body.contact.id as string;
      }),
    );
    const calls = contacts.flatMap((contact_id, n) => {
      const contact = `/mail/contacts/${contact_id}`;
      return [
        ...lists.map((list_id) => client.put(`/mail/lists/${list_id}/contacts/${contact_id}`)),
        client.patch(contact, { status: 'bounced' }),
        client.patch(contact, { status: n % 2 ? 'active' : 'bounced', first_name: 'A' }),
        client.delete(`/mail/lists/${lists[n % 3]}/contacts/${contact_id}`),
        ...(n % 4 === 0 ? [client.delete(contact)] : []),
      ];
    });
    const replies = await Promise.all(calls);
    const wrong = replies.filter(({ status }) => ![200, 404].includes(status));
    assert.deepEqual(
      wrong.map(({ text }) => text),
      [],
    );
    for (const list_id of lists) assert.deepEqual(await counts(client, list_id), await counted(list_id));
  });

  test('stay right when a list is removed while contacts join, change and go', async () => {
    const client = await app.actor();
    const { list: doomed } = (await client.post('/mail/lists', { name: 'doomed' })).body;
    const { list: kept } = (await client.post('/mail/lists', { name: 'kept' })).body;
    const contacts = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const body = { email: `q${n}@example.com`, list_id: doomed.id };
        return (await client.post('/mail/contacts', body)).body.contact.id as string;
      }),
    );
    const replies = await Promise.all([
      ...contacts.map((id) => client.put(`/mail/lists/${kept.id}/contacts/${id}`)),
      ...contacts.map((id) => client.patch(`/mail/contacts/${id}`, { status: 'unsubscribed' })),
      client.delete(`/mail/lists/${doomed.id}`),
      ...contacts.slice(4).map((id) => client.delete(`/mail/contacts/${id}`)),
      ...contacts.map((id) => client.put(`/mail/lists/${doomed.id}/contacts/${id}`)),
    ]);
    const wrong = replies.filter(({ status }) => ![200, 404].includes(status));
    assert.deepEqual(
      wrong.map(({ text }) => text),
      [],
    );
    assert.deepEqual(await counts(client, kept.id), await counted(kept.id));
    assert.equal((await client.get(`/mail/contacts?list_id=${doomed.id}`)).body.total, 0);
  });
});

async function member(): Promise<{ client: Client; list_id: string; contact_id: string }> {
  const client = await app.actor();
  const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
  const { contact } = (await client.post('/mail/contacts', { email: 'a@example.com', list_id: list.id }))
    .body;
  return { client, list_id: list.id, contact_id: contact.id };
}

async function counts(client: Client, list_id: string): Promise<[number, number]> {
  const { list } = (await client.get(`/mail/lists/${list_id}`)).body;
  return [list.contact_count, list.active_count];
}

/** What the counts must be. */
async function counted(list_id: string): Promise<[number, number]> {
  const [row] = await app.database.withConnection('*', ({ query }) =>
    query<{ contacts: number; active: number }>(
      `SELECT count(*) AS contacts,
              count(*) FILTER (WHERE status = 'active' AND unsubscribed_at IS NULL) AS active
         FROM mail_list_members AS member
         JOIN mail_contacts AS contact
           ON contact.organization_id = member.organization_id AND contact.id = member.contact_id
        WHERE list_id = $1`,
      [list_id],
    ),
  );
  return [row!.contacts, row!.active];
}

/** What a person does who leaves a list by the link in a mail. */
async function leave(list_id: string, contact_id: string): Promise<string> {
  const at = new Date().toISOString();
  await app.database.withConnection('*', async ({ query }) => {
    await query('UPDATE mail_list_members SET unsubscribed_at = $3 WHERE list_id = $1 AND contact_id = $2', [
      list_id,
      contact_id,
      at,
    ]);
    await query('UPDATE mail_lists SET active_count = active_count - 1 WHERE id = $1', [list_id]);
  });
  return at;
}
