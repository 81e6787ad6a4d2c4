import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';

const app = await startApp();

const PATH = '/mail/campaigns';

describe('/mail/campaigns', () => {
  test('201, 200: makes, changes, lists, duplicates and removes a campaign', async () => {
    const client = await app.actor();
    const list_id = await newList(client);
    const made = await client.post(PATH, {
      name: '春のお知らせ',
      subject: '新商品',
      list_ids: [list_id],
      body_html: '<p>あ</p>',
      throttle: { per_second: 5 },
      external_id: 'k1',
    });
    assert.equal(made.status, 201, made.text);
    const { campaign } = made.body;
    assert.deepEqual(
      [campaign.status, campaign.locale, campaign.purpose, campaign.list_ids, campaign.throttle],
      ['draft', 'ja', 'advertisement', [list_id], { per_second: 5, per_hour: null, per_day: null }],
    );
    assert.deepEqual(campaign.available_actions, ['update', 'schedule', 'send', 'duplicate', 'delete']);
    const path = `${PATH}/${campaign.id}`;
    const twice = await client.patch(path, {
      list_ids: [list_id, list_id],
      exclude_list_ids: [list_id, list_id],
    });
    const { list_ids, exclude_list_ids } = twice.body.campaign;
    assert.deepEqual([list_ids, exclude_list_ids], [[list_id], [list_id]], 'each list is kept once');
    const changed = await client.patch(path, { throttle: { per_hour: 100 }, list_ids: [] });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.campaign.throttle, { per_second: 5, per_hour: 100, per_day: null });
    assert.deepEqual((await client.get(path)).body.campaign, changed.body.campaign);
    const copy = await client.post(`${path}/duplicate`);
    assert.equal(copy.status, 201, copy.text);
    assert.deepEqual([copy.body.campaign.external_id, copy.body.campaign.body_html], [null, '<p>あ</p>']);
    const found = await client.get(`${PATH}?search=新商品&status=draft`);
    assert.equal(found.body.items.length, 2, found.text);
    assert.ok(!('body_html' in found.body.items[0]));
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.equal((await client.get(path)).status, 404);
  });

  test('200: list_id finds campaigns to a list', async () => {
    const client = await app.actor();
    const list_id = await newList(client);
    const other = await newList(client, 'B');
    await client.post(PATH, { name: 'A', list_ids: [list_id] });
    assert.equal((await client.get(`${PATH}?list_id=${list_id}`)).body.items.length, 1);
    assert.equal((await client.get(`${PATH}?list_id=${other}`)).body.items.length, 0);
  });

  test('422: names what another organization has', async () => {
    const [one, other] = [await app.actor(), await app.actor()];
    const list_id = await newList(other);
    const filter = { all: [] };
    const segment_id = (await other.post('/mail/segments', { name: 'A', filter })).body.segment.id;
    const template_id = (await other.post('/mail/templates', { name: 'A' })).body.template.id;
    for (const [fields, path] of [
      [{ list_ids: [list_id] }, '/list_ids/0'],
      [{ exclude_list_ids: [list_id] }, '/exclude_list_ids/0'],
      [{ segment_id }, '/segment_id'],
      [{ template_id }, '/template_id'],
    ] as const) {
      const reply = await one.post(PATH, { name: 'A', ...fields });
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual([reply.body.errors[0].code, reply.body.errors[0].path], ['unknown_reference', path]);
    }
  });

  test('422: a limit of no mails', async () => {
    const client = await app.actor();
    const reply = await client.post(PATH, { name: 'A', throttle: { per_second: 0 } });
    assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/throttle/per_second'], reply.text);
  });

  test('422: comes from a domain that is not the organization’s, or from no single address', async () => {
    const client = await app.actor();
    const settings = await client.patch('/mail/settings', { default_from_email: 'info@example.co.jp' });
    assert.equal(settings.status, 200, settings.text);
    const allowed = await client.post(PATH, { name: 'A', from_email: 'news@EXAMPLE.co.jp' });
    assert.equal(allowed.status, 201, allowed.text);
    const foreign = await client.post(PATH, { name: 'A', from_email: 'news@example.com' });
    assert.deepEqual(
      [foreign.status, foreign.body.errors[0].code],
      [422, 'domain_not_allowed'],
      foreign.text,
    );
    for (const from_email of [
      'a@example.co.jp\r\nBcc: b@example.com',
      'a@example.co.jp, b@example.com',
      'a@',
    ]) {
      const reply = await client.post(PATH, { name: 'A', from_email });
      assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/from_email'], from_email);
    }
  });

  test('409: what recipients saw of a campaign that has begun is frozen, and it stays', async () => {
    const client = await app.actor();
    const { campaign } = (await client.post(PATH, { name: 'A' })).body;
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `UPDATE mail_campaigns SET status = 'sent', started_at = now() WHERE organization_id = $1 AND id = $2`,
        [client.actor.organization_id, campaign.id],
      ),
    );
    const path = `${PATH}/${campaign.id}`;
    const frozen = await client.patch(path, { subject: 'B' });
    assert.deepEqual([frozen.status, frozen.body.code], [409, 'frozen'], frozen.text);
    assert.equal((await client.patch(path, { name: 'B', throttle: { per_day: 1 } })).status, 200);
    assert.equal((await client.delete(path)).body.code, 'invalid_transition');
  });
});

async function newList(client: Client, name = 'A'): Promise<string> {
  const reply = await client.post('/mail/lists', { name });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.list.id as string;
}
