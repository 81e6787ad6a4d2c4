import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

describe('/mail/suppressions', () => {
  test('201, 200: suppresses an address, finds it by any spelling, lifts it', async () => {
    const client = await app.actor();
    const made = await client.post('/mail/suppressions', { email: 'No@example.com', reason: '電話で依頼' });
    assert.equal(made.status, 201, made.text);
    const { suppression } = made.body;
    assert.deepEqual(suppression, {
      id: suppression.id,
      object: 'mail.suppression',
      email: 'No@example.com',
      reason: '電話で依頼',
      created_at: suppression.created_at,
      updated_at: suppression.created_at,
    });
    await client.post('/mail/suppressions', { email: 'other@example.com' });
    const found = await client.get('/mail/suppressions?email=nO%40EXAMPLE.com');
    assert.deepEqual(found.body.items, [suppression]);
    assert.equal((await client.get('/mail/suppressions')).body.total, 2);
    const path = `/mail/suppressions/${suppression.id}`;
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.equal((await client.delete(path)).status, 404);
    assert.equal((await client.get('/mail/suppressions?email=no%40example.com')).body.total, 0);
  });

  test('200: finds them by a part of the address and by their reason, erased ones by the reason alone', async () => {
    const client = await app.actor();
    const { contact } = (await client.post('/mail/contacts', { email: 'Gone@Example.org' })).body;
    await client.patch(`/mail/contacts/${contact.id}`, { status: 'bounced', status_reason: 'hard_bounce' });
    await client.post('/mail/suppressions', { email: 'Gone@Example.org', reason: 'hard_bounce' });
    await client.post('/mail/suppressions', { email: 'no@example.com' });
    const found = async (query: string) => (await client.get(`/mail/suppressions?${query}`)).body.total;
    for (const [query, total] of [
      ['search=EXAMPLE', 2],
      ['search=e.org', 1],
      ['search=@', 2],
      ['search=example.net', 0],
      ['reason=hard_bounce', 1],
      ['reason=hard_bounce&search=no@', 0],
    ] as const) {
      assert.equal(await found(query), total, query);
    }
    await client.delete(`/mail/contacts/${contact.id}`);
    assert.deepEqual([await found('search=e.org'), await found('reason=hard_bounce')], [0, 1]);
  });

  test('409: an address that is suppressed already, with its suppression, also of many at once', async () => {
    const client = await app.actor();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => client.post('/mail/suppressions', { email: 'no@example.com' })),
    );
    const made = replies.find(({ status }) => status === 201)!.body.suppression;
    const refused = replies.filter(({ status }) => status === 409);
    assert.equal(refused.length, 7);
    for (const { body } of refused) {
      assert.deepEqual([body.code, body.suppression_id], ['already_exists', made.id]);
    }
  });

  test('200: organizations do not see each other’s, and one address has another hash in each', async () => {
    const [ours, theirs] = [await app.actor(), await app.actor()];
    for (const client of [ours, theirs])
      await client.post('/mail/suppressions', { email: 'both@example.com' });
    assert.equal((await ours.get('/mail/suppressions?email=both%40example.com')).body.total, 1);
    const hashes = await app.database.withConnection('*', ({ query }) =>
      query<{ email_hash: Buffer }>(
        `SELECT email_hash FROM suppressions WHERE email = 'both@example.com' AND email_hash =
           sha256(convert_to(organization_id || chr(10) || 'both@example.com', 'UTF8'))`,
      ),
    );
    assert.equal(hashes.length, 2);
    assert.notDeepEqual(hashes[0], hashes[1]);
  });

  test('422: a filter that is no address', async () => {
    const client = await app.actor();
    const reply = await client.get('/mail/suppressions?email=nobody');
    assert.equal(reply.status, 422, reply.text);
  });
});
