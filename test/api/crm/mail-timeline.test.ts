import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { mailedCampaign } from '../../support/mailed-campaigns.ts';

const app = await startApp();

type Item = { id: string; type: string; occurred_at: string; data: { action: string; campaign_id: string } };

const EMAIL = 'hanako@example.jp';
const FIRST = '2026-11-20T01:00:00.000Z';
const SECOND = '2026-11-21T01:00:00.000Z';

/** A CRM contact whose mail contact got two mails: one opened and clicked at one instant, one not. */
async function mailedPerson() {
  const client = await app.actor();
  const { contact } = (
    await client.post('/crm/contacts', { last_name: '山田', first_name: '花', email: EMAIL })
  ).body;
  const contact_id: string = (await client.post('/mail/contacts', { email: EMAIL })).body.contact.id;
  const sent = { email: EMAIL, contact_id, status: 'sent' };
  const first = await mailedCampaign(app, client, [
    { ...sent, sent_at: FIRST, tracked: true, opened_at: SECOND, clicked_at: SECOND },
  ]);
  const second = await mailedCampaign(app, client, [{ ...sent, sent_at: SECOND }]);
  await mailedCampaign(app, client, [{ ...sent, status: 'skipped', reason: 'unsubscribed' }]);
  return { client, crm_id: contact.id as string, contact_id, first, second };
}

/** Reads a timeline to its end. */
async function timelineOf(client: Client, crm_id: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let after = ''; ; after = `&starting_after=${items.at(-1)!.id}`) {
    const reply = await client.get(`/crm/timeline?contact_id=${crm_id}&limit=${limit}${after}`);
    assert.equal(reply.status, 200, reply.text);
    items.push(...reply.body.data);
    if (!reply.body.has_more) return items;
  }
}

const mailsOf = (items: readonly Item[]) => items.filter(({ type }) => type === 'mail');

describe('the timeline of a CRM contact', () => {
  test('200: has the mails to its e-mail that were sent, opened and clicked, once each in pages of any size', async () => {
    const { client, crm_id, first, second } = await mailedPerson();
    const noted = await client.post('/crm/activities', {
      type: 'note',
      contact_id: crm_id,
      content: 'A',
      occurred_at: SECOND,
    });
    assert.equal(noted.status, 201, noted.text);
    const all = await timelineOf(client, crm_id, 200);
    const told = mailsOf(all).map(({ data, occurred_at }) => [data.action, data.campaign_id, occurred_at]);
    assert.deepEqual(told.toSorted(), [
      ['clicked', first, SECOND],
      ['opened', first, SECOND],
      ['sent', first, FIRST],
      ['sent', second, SECOND],
    ]);
    assert.equal(all.length, 6, JSON.stringify(all));
    for (const limit of [1, 2, 3]) {
      assert.deepEqual(await timelineOf(client, crm_id, limit), all);
    }
  });

  test('200: has none of them for those who may not read mail', async () => {
    const { client, crm_id } = await mailedPerson();
    const limited = await app.actor({ organization_id: client.actor.organization_id, scopes: ['crm:read'] });
    assert.deepEqual(mailsOf(await timelineOf(limited, crm_id, 200)), []);
  });

  test('200: follows a merge; of two contacts with one e-mail the first has them', async () => {
    const { client, crm_id, contact_id } = await mailedPerson();
    const twin = (await client.post('/crm/contacts', { last_name: '山田', first_name: '花子', email: EMAIL }))
      .body.contact.id;
    assert.deepEqual(mailsOf(await timelineOf(client, twin, 200)), []);
    const merged = await client.post(`/crm/contacts/${twin}/merge`, { loser_id: crm_id });
    assert.ok(merged.status < 300, merged.text);
    for (const id of [twin, crm_id]) assert.equal(mailsOf(await timelineOf(client, id, 200)).length, 4);
    assert.equal((await client.delete(`/mail/contacts/${contact_id}`)).status, 200);
    assert.deepEqual(mailsOf(await timelineOf(client, twin, 200)), []);
  });

  test('400: for a cursor that names no item', async () => {
    const { client, crm_id } = await mailedPerson();
    const [item] = mailsOf(await timelineOf(client, crm_id, 200));
    const recipient_id = item!.id.split(':')[0];
    for (const cursor of [`${recipient_id}`, `${recipient_id}:toString`, `${item!.id}:x`]) {
      const reply = await client.get(`/crm/timeline?contact_id=${crm_id}&starting_after=${cursor}`);
      assert.equal(reply.body.code, 'invalid_cursor', reply.text);
    }
  });
});
