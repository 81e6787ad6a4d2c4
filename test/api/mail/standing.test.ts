import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

let now = new Date('2026-11-21T00:00:00.000Z');
const app = await startApp({ now: () => now });

const REFUSED = '2026-11-21T00:00:00.000Z';
const consentAt = (at: string) => ({ basis: 'consent', source: '窓口', at });

describe('PATCH /mail/contacts/{id}, the status', () => {
  test('200: to unsubscribed and bounced, with the reason that is said or `admin`', async () => {
    const { client, path } = await contactOf();
    const said = await client.patch(path, { status: 'bounced', status_reason: 'hard_bounce' });
    assert.equal(said.body.contact.status_reason, 'hard_bounce');
    assert.equal(said.body.contact.unsubscribed_at, null);
    const unsaid = await client.patch(path, { status: 'unsubscribed' });
    const { status, status_reason, unsubscribed_at } = unsaid.body.contact;
    assert.deepEqual([status, status_reason, unsubscribed_at], ['unsubscribed', 'admin', REFUSED]);
    assert.equal((await client.get(path)).text, unsaid.text);
  });

  test('422: from unsubscribed to active without a consent, or with one of the refusal’s time or before', async () => {
    const { client, path } = await contactOf({ consent: consentAt('2026-11-20T00:00:00Z') });
    await client.patch(path, { status: 'unsubscribed' });
    const earlier = [undefined, consentAt('2026-11-20T23:59:59.999Z'), consentAt(REFUSED), null];
    for (const consent of earlier) {
      const reply = await client.patch(path, { status: 'active', consent });
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.body.code, 'consent_required');
      assert.equal(reply.body.errors[0].path, '/consent');
      assert.match(reply.body.detail, /2026-11-21T00:00:00\.000Z/);
    }
    assert.equal((await client.get(path)).body.contact.status, 'unsubscribed');
  });

  test('200: from unsubscribed to active with a later consent, sent with it or before it', async () => {
    const later = consentAt('2026-11-21T00:00:00.001Z');
    const together = await contactOf();
    await together.client.patch(together.path, { status: 'unsubscribed' });
    const reply = await together.client.patch(together.path, { status: 'active', consent: later });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.contact.status, reply.body.contact.status_reason], ['active', null]);
    const before = await contactOf();
    await before.client.patch(before.path, { status: 'unsubscribed' });
    await before.client.patch(before.path, { consent: later });
    assert.equal((await before.client.patch(before.path, { status: 'active' })).status, 200);
  });

  test('422: a bounce between does not wash the refusal away; a new refusal counts anew', async () => {
    const { client, path } = await contactOf();
    await client.patch(path, { status: 'unsubscribed' });
    await client.patch(path, { status: 'bounced' });
    assert.equal((await client.patch(path, { status: 'active' })).status, 422);
    now = new Date('2026-11-21T06:00:00.000Z');
    const consent = consentAt('2026-11-21T06:00:00Z');
    assert.equal((await client.patch(path, { status: 'active', consent })).status, 200);
    now = new Date('2026-11-22T00:00:00.000Z');
    await client.patch(path, { status: 'unsubscribed' });
    assert.equal((await client.patch(path, { status: 'active' })).status, 422);
    now = new Date(REFUSED);
  });

  test('422: a consent of the future, which would stand against every refusal before it; a clock may be minutes ahead', async () => {
    const { client, path } = await contactOf({ consent: consentAt('2026-11-21T00:05:00Z') });
    const consent = consentAt('2026-11-21T00:05:00.001Z');
    const fresh = { email: 'later@example.com', consent };
    for (const reply of [await client.patch(path, { consent }), await client.post('/mail/contacts', fresh)]) {
      assert.equal(reply.status, 422, reply.text);
      const [{ path: place, code }] = reply.body.errors;
      assert.deepEqual([place, code], ['/consent/at', 'in_the_future']);
    }
  });

  test('409: from bounced to active while a suppression stands; 200 once it is lifted', async () => {
    const { client, path, email } = await contactOf();
    await client.patch(path, { status: 'bounced' });
    const { suppression } = (await client.post('/mail/suppressions', { email: email.toUpperCase() })).body;
    const refused = await client.patch(path, { status: 'active' });
    assert.equal(refused.status, 409, refused.text);
    assert.deepEqual([refused.body.code, refused.body.suppression_id], ['suppressed', suppression.id]);
    await client.delete(`/mail/suppressions/${suppression.id}`);
    assert.equal((await client.patch(path, { status: 'active' })).status, 200);
  });

  test('409: an active contact does not take a suppressed address', async () => {
    const { client, path } = await contactOf();
    await client.post('/mail/suppressions', { email: 'never@example.com' });
    const reply = await client.patch(path, { email: 'never@example.com' });
    assert.equal(reply.body.code, 'suppressed', reply.text);
  });

  test('200: a contact keeps its status when its address is suppressed', async () => {
    const { client, path, email } = await contactOf();
    await client.post('/mail/suppressions', { email });
    const reply = await client.patch(path, { first_name: 'A' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.contact.status, 'active');
  });
});

describe('DELETE /mail/contacts/{id}', () => {
  test('200: of an active one nothing is left', async () => {
    const { client, path, email, list_id } = await contactOf();
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.equal((await client.get(path)).status, 404);
    assert.equal((await client.delete(path)).status, 404);
    const { list } = (await client.get(`/mail/lists/${list_id}`)).body;
    assert.deepEqual([list.contact_count, list.active_count], [0, 0]);
    assert.equal((await client.get('/mail/suppressions')).body.total, 0);
    assert.deepEqual(await tablesThatHold(email), []);
    assert.equal((await client.post('/mail/contacts', { email })).status, 201);
  });

  test('200: of one that refused the hash of its address is left, by which it is found and refused', async () => {
    const { client, path, email, list_id } = await contactOf();
    await client.patch(path, { status: 'unsubscribed', status_reason: 'page' });
    assert.equal((await client.delete(path)).status, 200);
    const { list } = (await client.get(`/mail/lists/${list_id}`)).body;
    assert.deepEqual([list.contact_count, list.active_count], [0, 0]);
    const found = await client.get(`/mail/suppressions?email=${email.toUpperCase()}`);
    assert.equal(found.body.total, 1);
    assert.deepEqual([found.body.items[0].email, found.body.items[0].reason], [null, 'page']);
    assert.deepEqual(await tablesThatHold(email), []);
    assert.equal((await client.post('/mail/contacts', { email })).body.code, 'suppressed');
  });

  test('200: a suppression of the address loses it too, and stays', async () => {
    const { client, path, email } = await contactOf();
    const key = { 'Idempotency-Key': 'suppress' };
    const { suppression } = (await client.post('/mail/suppressions', { email, reason: '電話' }, key)).body;
    assert.equal((await client.delete(path)).status, 200);
    const found = (await client.get(`/mail/suppressions?email=${email}`)).body.items;
    assert.deepEqual([found[0].id, found[0].email, found[0].reason], [suppression.id, null, '電話']);
    assert.deepEqual(await tablesThatHold(email), []);
  });

  test('200: what imports overwrote of it, and where they met its address, is forgotten too', async () => {
    const { client, path, email } = await contactOf({ first_name: '花子' });
    const { organization_id } = client.actor;
    const contact_id = path.split('/').at(-1)!;
    const before = { first_name: ['ハナ子', '花子'], email: [email, email] };
    await app.database.withConnection('*', async ({ query }) => {
      for (const [key, kept] of [
        [contact_id, JSON.stringify(before)],
        [email, null],
        ['mcont_other', JSON.stringify({ last_name: ['A', 'B'] })],
      ]) {
        await query(
          `INSERT INTO import_outcomes (organization_id, import_id, key, outcome, before) VALUES ($1, 'imp', $2, 'updated', $3)`,
          [organization_id, key, kept],
        );
      }
    });
    assert.equal((await client.delete(path)).status, 200);
    assert.deepEqual(await tablesThatHold(email), []);
    assert.deepEqual(await tablesThatHold('ハナ子'), []);
    const left = await app.database.withConnection('*', ({ query }) =>
      query(
        'SELECT key, before IS NULL AS forgotten FROM import_outcomes WHERE organization_id = $1 ORDER BY key',
        [organization_id],
      ),
    );
    assert.deepEqual(left, [
      { key: contact_id, forgotten: true },
      { key: 'mcont_other', forgotten: false },
    ]);
  });

  test('412: when it has changed since it was read', async () => {
    const { client, path } = await contactOf();
    const etag = (await client.get(path)).headers.get('etag')!;
    await client.patch(path, { first_name: 'A' });
    const reply = await client.delete(path, { 'If-Match': etag });
    assert.equal(reply.status, 412, reply.text);
  });
});

describe('GET /mail/audit-logs', () => {
  test('200: names what changed of a contact, its status in full, its data masked', async () => {
    const { client, path } = await contactOf();
    await client.patch(path, { status: 'bounced', first_name: '花子', email: 'new@example.com' });
    const { items } = (await client.get('/mail/audit-logs?entity_type=contact&action=update')).body;
    assert.deepEqual(items[0].changes, {
      email: ['***', '***'],
      first_name: [null, '***'],
      status: ['active', 'bounced'],
      status_reason: [null, 'admin'],
    });
    const all = await client.get('/mail/audit-logs');
    assert.ok(!/example\.com|花子/.test(all.text), all.text);
    const kinds = all.body.items.map((one: { entity_type: string; action: string }) =>
      [one.entity_type, one.action].join(' '),
    );
    assert.deepEqual(kinds, ['contact update', 'list_member create', 'contact create', 'list create']);
  });

  test('200: there are no events of mail contacts, lists and suppressions', async () => {
    const { client, path, email } = await contactOf();
    await client.patch(path, { status: 'unsubscribed' });
    await client.post('/mail/suppressions', { email });
    await client.delete(path);
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ entries: number; events: number }>(
        `SELECT (SELECT count(*) FROM audit_logs WHERE organization_id = $1) AS entries,
                (SELECT count(*) FROM events WHERE organization_id = $1) AS events`,
        [client.actor.organization_id],
      ),
    );
    assert.deepEqual(row, { entries: 7, events: 0 });
  });

  test('403: without the scope of audits', async () => {
    const client = await app.actor({ scopes: ['mail:read', 'mail:write'] });
    assert.equal((await client.get('/mail/audit-logs')).status, 403);
    assert.equal((await client.get('/mail/contacts')).status, 200);
  });
});

let made = 0;

/** A contact in a list, made with an Idempotency-Key, so that its answer is kept. */
async function contactOf(fields: Record<string, unknown> = {}): Promise<{
  client: Awaited<ReturnType<typeof app.actor>>;
  path: string;
  email: string;
  list_id: string;
}> {
  const client = await app.actor();
  const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
  made += 1;
  const body = { email: `subject${made}@example.com`, list_id: list.id, ...fields };
  const reply = await client.post('/mail/contacts', body, { 'Idempotency-Key': 'make' });
  assert.equal(reply.status, 201, reply.text);
  return { client, path: `/mail/contacts/${reply.body.contact.id}`, email: body.email, list_id: list.id };
}

/** The tables in which a row still shows the text, whatever its column. */
async function tablesThatHold(text: string): Promise<string[]> {
  return app.database.withConnection('*', async ({ query }) => {
    const tables = await query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const holding: string[] = [];
    for (const { name } of tables) {
      const [found] = await query(
        `SELECT 1 FROM "${name}" AS row WHERE strpos(lower(row::text), $1) > 0 LIMIT 1`,
        [text.toLowerCase()],
      );
      if (found) holding.push(name);
    }
    return holding;
  });
}
