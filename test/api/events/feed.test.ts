import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openApi } from '../../../api/openapi.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import { eventDomains } from '../../../shared/domains.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();

/** Writes events in a transaction that stays open for a while, as a slow request would. */
async function writeEvents(organization_id: string, count: number, open_for: number): Promise<string[]> {
  const ids: string[] = [];
  await app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      for (let n = 0; n < count; n++) {
        const id = newId('evt', new Date());
        ids.push(id);
        await connection.query(
          `INSERT INTO events (organization_id, id, type, data, created_at)
           VALUES ($1, $2, 'crm.contact.created', '{}', $3)`,
          [organization_id, id, new Date().toISOString()],
        );
      }
      await pause(open_for);
      await commit(Promise.resolve());
    }),
  );
  return ids;
}

describe('GET /events as a feed', () => {
  test('32 writers with transactions of uneven length: a poller sees each event once, forward and backward', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    let writing = true;
    const seen: string[] = [];
    const poller = (async () => {
      let cursor = '';
      for (let last = false; ; ) {
        const { body } = await client.get(
          `/events?order=asc&limit=7${cursor && `&starting_after=${cursor}`}`,
        );
        for (const event of body.data) seen.push(event.id);
        cursor = body.data.at(-1)?.id ?? cursor;
        if (last && body.data.length === 0) return;
        last = !writing;
      }
    })();
    const unrelated = app.database.withConnection('*', (connection) =>
      transaction(connection, async () => {
        await connection.query('SELECT pg_current_xact_id()');
        while (writing) await pause(5);
      }),
    );
    const written = await Promise.all(
      Array.from({ length: 32 }, (_, n) => writeEvents(organization_id, 1 + (n % 5), (n * 37) % 90)),
    );
    writing = false;
    await Promise.all([poller, unrelated]);
    assert.deepEqual([...seen].sort(), written.flat().sort());

    const backward: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await client.get(`/events?limit=9${cursor && `&starting_after=${cursor}`}`);
      for (const event of body.data) backward.push(event.id);
      cursor = body.data.at(-1)?.id;
      if (!body.has_more) break;
    }
    assert.deepEqual(backward, seen.toReversed());
  });

  test('an event is in the list as soon as its request is answered', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const { body } = await client.get('/events?type=crm.contact.created');
    assert.equal(body.object, 'list');
    assert.deepEqual(body.data[0].data, made.body.contact);
    assert.equal(body.data[0].request_id, made.headers.get('request-id'));
    const one = await client.get(`/events/${body.data[0].id}`);
    assert.deepEqual(one.body.event, body.data[0]);
  });

  test('an update tells the earlier values of what changed, and a change of nothing tells nothing', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B', note: 'old' });
    const path = `/crm/contacts/${made.body.contact.id}`;
    await client.patch(path, { note: 'old' });
    await client.patch(path, {});
    await client.patch(path, { note: 'new' });
    const { body } = await client.get('/events?type=crm.contact.updated');
    assert.equal(body.data.length, 1);
    assert.deepEqual(body.data[0].previous_attributes, { note: 'old' });
    const audit = await client.get(`/crm/audit-logs?entity_id=${made.body.contact.id}&action=update`);
    assert.deepEqual(audit.body.items[0].changes, { note: ['old', 'new'] });
  });

  test('a type of which nothing happened yet finds nothing, and the text offers all types', async () => {
    const { organization_id } = (await app.actor()).actor;
    const clients = [
      await app.actor({ organization_id }),
      await app.actor({ organization_id, scopes: ['events:read', 'crm:read'] }),
    ];
    for (const client of clients) {
      for (const type of ['mail.campaign.sent', 'forms.response.submitted']) {
        const reply = await client.get(`/events?type=${type}`);
        assert.deepEqual([reply.status, reply.body.data], [200, []], type);
      }
      assert.equal((await client.get('/events?type=crm.contact.craeted')).status, 422);
    }
    // biome-ignore lint/suspicious/noExplicitAny: a walk through the OpenAPI text.
    const { parameters } = (openApi().paths as any)['/api/v1/events'].get;
    const { schema } = parameters.find(({ name }: { name: string }) => name === 'type');
    assert.deepEqual(schema.enum, [...eventDomains.keys()]);
  });

  test('types takes several and whole words before a dot; a type of another key is left out', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const contact = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    await client.patch(`/crm/contacts/${contact.body.contact.id}`, { note: 'n' });
    await client.post('/crm/companies', { name: 'C' });
    const found = async (types: string, by = client) => {
      const { status, body, text } = await by.get(`/events?order=asc&types=${encodeURIComponent(types)}`);
      assert.equal(status, 200, text);
      return body.data.map(({ type }: { type: string }) => type);
    };
    assert.deepEqual(await found('crm.contact.*'), ['crm.contact.created', 'crm.contact.updated']);
    assert.deepEqual(await found('crm.contact.updated, crm.company.*'), [
      'crm.contact.updated',
      'crm.company.created',
    ]);
    assert.equal((await found('crm.*')).length, 3);
    assert.equal((await found('crm.*,crm.contact.created')).length, 3, 'each once');
    assert.deepEqual(await found('forms.*,attendance.record.clocked_in'), []);
    const books = await app.actor({ organization_id, scopes: ['events:read', 'invoicing:read'] });
    assert.deepEqual(await found('crm.*,invoice.*', books), []);
  });

  test('422: types beside type, no types, and parts that name none', async () => {
    const client = await app.actor();
    for (const [query, code] of [
      ['type=crm.contact.created&types=crm.*', 'mutually_exclusive'],
      ['types=', 'invalid_value'],
      ['types=crm.contact.created,', 'invalid_value'],
      ['types=crm.contact.craeted', 'invalid_value'],
      ['types=crm.con*', 'invalid_value'],
      ['types=crm.contact', 'invalid_value'],
      ['types=*', 'invalid_value'],
      ['types=.*', 'invalid_value'],
      ['limit=101', 'too_large'],
      ['limit=101&order=desc', 'too_large'],
      ['limit=1001&order=asc', 'too_large'],
    ] as const) {
      const { status, body } = await client.get(`/events?${query}`);
      assert.deepEqual([status, body.errors?.[0]?.code], [422, code], query);
    }
  });

  test('a thousand are read at once in ascending order', async () => {
    const client = await app.actor();
    const written = await writeEvents(client.actor.organization_id, 1_001, 0);
    const { body } = await client.get('/events?order=asc&limit=1000');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      written.slice(0, 1_000),
    );
    assert.equal(body.has_more, true);
  });

  test('400: a cursor that is no event of the organization', async () => {
    const client = await app.actor();
    const other = await app.actor();
    await other.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const { body } = await other.get('/events');
    const reply = await client.get(`/events?starting_after=${body.data[0].id}`);
    assert.equal(reply.status, 400);
    assert.equal(reply.body.code, 'invalid_cursor');
    assert.equal((await client.get(`/events/${body.data[0].id}`)).status, 404);
  });
});
