import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeptSettings } from '../../../shared/forms/settings/record.ts';
import { startApp } from '../../support/app.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { countsOf, storedResponse } from '../../support/stored-responses.ts';

const app = await startApp();

async function flagged(settings: Partial<KeptSettings> = {}) {
  const client = await app.actor();
  const where = { database: app.database, organization_id: client.actor.organization_id };
  const { id: form_id } = await publishedForm(client, { settings });
  const store = async (email: string, is_spam: boolean) => {
    const id = await storedResponse(where, { form_id, email, is_spam });
    await app.database.withConnection(where.organization_id, ({ query }) =>
      query(`UPDATE forms_responses SET spam_reasons = $2 WHERE id = $1`, [
        id,
        is_spam ? '["honeypot"]' : '[]',
      ]),
    );
    return id;
  };
  const path = (id: string) => `/forms/${form_id}/responses/${id}`;
  const events = async (id: string) => {
    const { data } = (await client.get('/events?type=forms.response.submitted&limit=100')).body;
    return data.filter((event: { data: { id: string } }) => event.data.id === id).length;
  };
  return { client, where, form_id, store, path, events };
}

describe('a response that was flagged as spam', () => {
  it('is made up for once when it is taken back: it counts, and has its event', async () => {
    const { client, where, form_id, store, path, events } = await flagged();
    const id = await store('hanako@example.com', true);
    const back = await client.patch(path(id), { is_spam: false });
    assert.equal(back.status, 200, back.text);
    assert.equal(back.body.response.is_spam, false);
    assert.deepEqual(back.body.response.spam_reasons, ['honeypot']);
    assert.deepEqual(await countsOf(where, form_id), { responses: 1, spam: 0 });
    assert.equal(await events(id), 1);
    await client.patch(path(id), { is_spam: true });
    assert.deepEqual(await countsOf(where, form_id), { responses: 0, spam: 1 });
    await client.patch(path(id), { is_spam: false });
    assert.deepEqual(await countsOf(where, form_id), { responses: 1, spam: 0 });
    assert.equal(await events(id), 1, 'not a second time');
  });

  it('stays flagged where the form is full, or has a response of the person', async () => {
    const full = await flagged({ max_responses: 1 });
    await full.store('taro@example.com', false);
    const late = await full.store('hanako@example.com', true);
    const refused = await full.client.patch(full.path(late), { is_spam: false });
    assert.deepEqual([refused.status, refused.body.code], [409, 'form_full']);
    assert.deepEqual(await countsOf(full.where, full.form_id), { responses: 1, spam: 1 });

    const once = await flagged({ one_per: 'email', one_per_field: 'email' });
    const first = await once.store('hanako@example.com', false);
    const second = await once.store('hanako@example.com', true);
    const again = await once.client.patch(once.path(second), { is_spam: false });
    assert.deepEqual([again.status, again.body.code], [409, 'already_answered']);
    assert.equal(await once.events(second), 0);
    // To flag the first one frees the person.
    assert.equal((await once.client.patch(once.path(first), { is_spam: true })).status, 200);
    assert.equal((await once.client.patch(once.path(second), { is_spam: false })).status, 200);
  });

  it('is taken back by one of many at once, and as many as the quota leaves room for', async () => {
    const { client, where, form_id, store, path } = await flagged({ max_responses: 3 });
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await store(`person${index}@example.com`, true));
    const replies = await Promise.all(
      [...ids, ...ids].map((id) => client.patch(path(id), { is_spam: false })),
    );
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    assert.deepEqual(await countsOf(where, form_id), { responses: 3, spam: 5 });
  });
});
