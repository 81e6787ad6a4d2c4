import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { startApp } from '../support/app.ts';
import { newPerson } from '../support/people.ts';

const app = await startApp();
const key = (value: string) => ({ 'Idempotency-Key': value });
const ann = { first_name: 'Ann', last_name: 'Lee' };

describe('a POST with an Idempotency-Key', () => {
  test('50 at the same time have one effect: one is answered, the rest are told to wait or replayed', async () => {
    const client = await app.actor();
    const send = () => client.post('/crm/contacts', ann, key('parallel'));
    const replies = await Promise.all(Array.from({ length: 50 }, send));
    for (const reply of replies) {
      assert.ok(reply.status === 201 || reply.body.code === 'idempotency_key_in_use', reply.text);
    }
    const made = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.contact.id));
    assert.equal(made.size, 1);
    assert.equal((await client.get('/crm/contacts')).body.total, 1);
    const { body } = await client.get('/events');
    assert.equal(body.data.length, 1);
    assert.equal((await client.get('/crm/audit-logs')).body.total, 1);
  });

  test('is answered byte by byte as the first time, with its place and status', async () => {
    const client = await app.actor();
    const first = await client.post('/crm/contacts', ann, key('bytes'));
    const again = await client.post('/crm/contacts', ann, key('bytes'));
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(first.headers.get('idempotency-replayed'), null);
  });

  test('422 for another request under the same key', async () => {
    const client = await app.actor();
    await client.post('/crm/contacts', ann, key('reused'));
    const other = await client.post('/crm/contacts', { ...ann, note: 'x' }, key('reused'));
    assert.equal(other.status, 422);
    assert.equal(other.body.code, 'idempotency_key_reused');
    const elsewhere = await client.post('/crm/tags', { name: 'x' }, key('reused'));
    assert.equal(elsewhere.body.code, 'idempotency_key_reused');
  });

  test('a refusal by a rule is kept, a fault of form is not', async () => {
    const client = await app.actor();
    await client.post('/crm/tags', { name: '重要' });
    const refused = await client.post('/crm/tags', { name: '重要' }, key('kept'));
    assert.equal(refused.status, 409, refused.text);
    const again = await client.post('/crm/tags', { name: '重要' }, key('kept'));
    assert.deepEqual(again.body, refused.body);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.match(again.headers.get('content-type') ?? '', /problem\+json/);
    assert.equal((await client.post('/crm/contacts', {}, key('form'))).status, 422);
    assert.equal((await client.post('/crm/contacts', ann, key('form'))).status, 201);
  });

  test('belongs to its organization and credential', async () => {
    const one = await app.actor();
    const other = await app.actor();
    const colleague = await app.actor({ organization_id: one.actor.organization_id });
    const ids = await Promise.all(
      [one, other, colleague].map(
        async (client) => (await client.post('/crm/contacts', ann, key('mine'))).body.contact.id,
      ),
    );
    assert.equal(new Set(ids).size, 3);
  });

  test('of an account is replayed where an earlier release kept it, under no organization', async () => {
    const person = await newPerson(app);
    const send = () => person.post('/organizations', { name: 'Across Releases' }, key('deploy'));
    const first = await send();
    await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query(`UPDATE idempotency_keys SET organization_id = '' WHERE key = 'deploy'`),
    );
    const again = await send();
    assert.equal(again.body.organization?.id, first.body.organization.id, again.text);
  });

  test('is forgotten after 24 hours', async () => {
    const client = await app.actor();
    const first = await client.post('/crm/contacts', ann, key('old'));
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours' WHERE key = 'old'`),
    );
    const second = await client.post('/crm/contacts', ann, key('old'));
    assert.notEqual(second.body.contact.id, first.body.contact.id);
    const third = await client.post('/crm/contacts', ann, key('old'));
    assert.equal(third.body.contact.id, second.body.contact.id);
  });

  test('400 for a key that is none', async () => {
    const client = await app.actor();
    for (const wrong of ['a b', 'x'.repeat(256)]) {
      const reply = await client.post('/crm/contacts', ann, key(wrong));
      assert.equal(reply.body.code, 'invalid_idempotency_key', wrong.slice(0, 10));
    }
  });

  test('any series of keys and bodies has the effects of its first uses', async () => {
    const client = await app.actor();
    const sends = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), {
      maxLength: 12,
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(sends, async (series) => {
        const prefix = `round${round++}-`;
        const first = new Map<string, { note: string; id: string }>();
        for (const [name, note] of series) {
          const reply = await client.post('/crm/contacts', { ...ann, note }, key(prefix + name));
          const known = first.get(name);
          if (!known) first.set(name, { note, id: reply.body.contact.id });
          else if (known.note === note) assert.equal(reply.body.contact.id, known.id);
          else assert.equal(reply.body.code, 'idempotency_key_reused');
        }
      }),
      { numRuns: 25 },
    );
  });
});
