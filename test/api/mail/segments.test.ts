import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const PATH = '/mail/segments';

const condition = { field: 'domain', op: 'equals', value: 'example.com' };

/** A condition within so many groups. */
const within = (groups: number) =>
  Array.from({ length: groups }).reduce<object>((inner) => ({ all: [inner] }), condition);

describe('/mail/segments', () => {
  test('201, 200, 409: makes, changes, previews and removes a segment', async () => {
    const client = await app.actor();
    const list_id = (await client.post('/mail/lists', { name: 'A' })).body.list.id;
    await client.post('/mail/contacts', { email: 'a@example.com', list_id });
    await client.post('/mail/contacts', { email: 'b@example.com' });
    await client.post('/mail/contacts', { email: 'c@example.org', list_id });
    const made = await client.post(PATH, { name: '東京', filter: { all: [condition] } });
    assert.equal(made.status, 201, made.text);
    const path = `${PATH}/${made.body.segment.id}`;
    assert.equal((await client.post(PATH, { name: '東京', filter: condition })).status, 409);
    const changed = await client.patch(path, { filter: { not: condition } });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await client.get(path)).text, changed.text);
    const preview = await client.post(`${PATH}/preview`, { filter: condition, list_ids: [list_id] });
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(
      [preview.body.contact_count, preview.body.sample.map((each: { email: string }) => each.email)],
      [1, ['a@example.com']],
    );
    assert.deepEqual((await client.delete(path)).body, { success: true });
  });

  test('200: a preview says where no condition leaves anybody out', async () => {
    const client = await app.actor();
    const none = { any: [] };
    for (const [filter, isEverybody] of [
      [{ all: [] }, true],
      [{ not: none }, true],
      [{ all: [{ not: none }, { all: [] }] }, true],
      [{ any: [condition, { all: [] }] }, true],
      [none, false],
      [{ all: [condition, { all: [] }] }, false],
      [{ not: { all: [condition, none] } }, true],
      [{ any: [none, condition] }, false],
      [condition, false],
    ] as const) {
      const { warnings } = (await client.post(`${PATH}/preview`, { filter })).body;
      const told = warnings.map(({ code, path }: Record<string, string>) => `${code} ${path}`);
      assert.deepEqual(told, isEverybody ? ['filter_matches_everybody /filter'] : [], JSON.stringify(filter));
    }
    const ja = { 'Accept-Language': 'ja' };
    const { body } = await client.post(`${PATH}/preview`, { filter: { all: [] } }, ja);
    assert.match(body.warnings[0].message, /すべての宛先/);
  });

  test('409, 200: a list and a segment stay while a campaign to them is scheduled, not once its recipients are settled', async () => {
    const client = await app.actor();
    const list_id = (await client.post('/mail/lists', { name: 'A' })).body.list.id;
    const segment_id = (await client.post(PATH, { name: 'A', filter: { all: [] } })).body.segment.id;
    const { campaign } = (
      await client.post('/mail/campaigns', { name: 'A', exclude_list_ids: [list_id], segment_id })
    ).body;
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `UPDATE mail_campaigns SET status = 'scheduled', scheduled_at = now() WHERE organization_id = $1 AND id = $2`,
        [client.actor.organization_id, campaign.id],
      ),
    );
    for (const path of [`/mail/lists/${list_id}`, `${PATH}/${segment_id}`]) {
      const reply = await client.delete(path);
      assert.deepEqual([reply.status, reply.body.code], [409, 'in_use'], reply.text);
      assert.deepEqual(reply.body.campaign_ids, [campaign.id]);
    }
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `UPDATE mail_campaigns SET status = 'sending', frozen_at = now() WHERE organization_id = $1 AND id = $2`,
        [client.actor.organization_id, campaign.id],
      ),
    );
    for (const path of [`/mail/lists/${list_id}`, `${PATH}/${segment_id}`]) {
      assert.equal((await client.delete(path)).status, 200);
    }
  });

  test('422: names the place of each fault of a filter', async () => {
    const client = await app.actor();
    for (const [filter, path] of [
      [{ all: [condition, { ...condition, field: 'age' }] }, '/filter/all/1/field'],
      [{ not: { field: 'created_at', op: 'contains', value: 'x' } }, '/filter/not/op'],
      [{ field: 'consent.basis', op: 'any_of', value: ['consent', 'x'] }, '/filter/value/1'],
      [{ field: 'created_at', op: 'gt', value: '2026-02-30T00:00:00Z' }, '/filter/value'],
      [{ any: Array.from({ length: 51 }, () => condition) }, '/filter/any/50'],
      [within(5), '/filter/all/0/all/0/all/0/all/0/all/0'],
      [{ all: [], any: [] }, '/filter/any'],
      [[], '/filter'],
    ] as const) {
      const reply = await client.post(PATH, { name: 'A', filter });
      assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, path], reply.text);
    }
    assert.equal((await client.post(PATH, { name: 'A', filter: within(4) })).status, 201);
  });

  test('403: fields of the CRM without crm:read', async () => {
    const client = await app.actor({ scopes: ['mail:read', 'mail:write'] });
    const filter = { not: { field: 'crm.owner_id', op: 'is_empty' } };
    for (const [path, body] of [
      [PATH, { name: 'A', filter }],
      [`${PATH}/preview`, { filter }],
    ] as const) {
      const reply = await client.post(path, body);
      assert.deepEqual([reply.status, reply.body.required_scope], [403, 'crm:read'], reply.text);
    }
  });
});
