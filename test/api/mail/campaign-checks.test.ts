import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { addContact, newDraft, newSender } from '../../support/sendable-campaigns.ts';

const app = await startApp();

type Told = { code: string; path: string };

const codes = (told: Told[]) => told.map(({ code, path }) => `${code} ${path}`);

describe('GET /mail/campaigns/{id}/checks', () => {
  test('200: nothing keeps it, and who would get it', async () => {
    const { client, list_id } = await newSender(app, ['a@example.jp', 'b@example.jp']);
    const gone = await addContact(client, { email: 'c@example.jp', list_id });
    await client.patch(`/mail/contacts/${gone}`, { status: 'unsubscribed' });
    await addContact(client, { email: 'd@example.jp', list_id, consent: null });
    await addContact(client, { email: 'e@example.jp' });
    const path = await newDraft(client, { list_ids: [list_id] });
    const { status, body, text } = await client.get(`${path}/checks`);
    assert.equal(status, 200, text);
    assert.deepEqual(body.checks.errors, []);
    const odd = ['dkim_key_missing /from_email', 'base_url_insecure ', 'local_mailbox '];
    assert.deepEqual(codes(body.checks.warnings), odd);
    assert.equal(body.checks.ok, true);
    assert.deepEqual(body.checks.audience, {
      matched: 4,
      eligible: 2,
      skipped_by: { unsubscribed: 1, no_consent: 1 },
    });
  });

  test('200: a segment without a list is of all contacts; a value that is missing is counted', async () => {
    const { client } = await newSender(app, []);
    await addContact(client, { email: 'a@example.jp', attributes: { 会社名: '山田' } });
    await addContact(client, { email: 'b@example.jp' });
    await addContact(client, { email: 'c@example.com', attributes: { 会社名: '佐藤' } });
    const filter = { field: 'domain', op: 'equals', value: 'example.jp' };
    const segment_id = (await client.post('/mail/segments', { name: '日本', filter })).body.segment.id;
    const path = await newDraft(client, { segment_id, subject: '{{attributes.会社名}} 様' });
    const { audience, warnings } = (await client.get(`${path}/checks`)).body.checks;
    assert.deepEqual(audience, { matched: 2, eligible: 1, skipped_by: { missing_value: 1 } });
    const toldOf = (told: (Told & { message: string })[]) =>
      told.find(({ code }) => code === 'missing_value')?.message;
    assert.match(toldOf(warnings)!, /^1 of its contacts lack a value for \{\{attributes\.会社名\}\}: /);
    const ja = (await client.get(`${path}/checks`, { 'Accept-Language': 'ja' })).body.checks;
    assert.match(toldOf(ja.warnings)!, /^\{\{attributes\.会社名\}\} の値がない宛先が1件/);
    await client.patch(path, { subject: '{{attributes.会社名|お客様}} 様' });
    assert.equal(toldOf((await client.get(`${path}/checks`)).body.checks.warnings), undefined);
  });

  test('200: everything that is missing at once, in the language of the caller', async () => {
    const client = await app.actor();
    await client.patch('/mail/settings', { mail_order: true });
    const { campaign } = (await client.post('/mail/campaigns', { name: '春' })).body;
    const path = `/mail/campaigns/${campaign.id}/checks`;
    const { checks } = (await client.get(path)).body;
    assert.equal(checks.ok, false);
    assert.deepEqual(codes(checks.errors), [
      'sender_identity_missing /sender_name',
      'sender_identity_missing /sender_address',
      'sender_identity_missing /sender_contact',
      'sender_identity_missing /from_email',
      'mail_order_notice_missing /mail_order_notice_url',
      'no_audience /list_ids',
      'empty_subject /subject',
      'empty_body /body_html',
    ]);
    assert.deepEqual(checks.audience, { matched: 0, eligible: 0, skipped_by: {} });
    const ja = (await client.get(path, { 'Accept-Language': 'ja' })).body.checks;
    for (const { code, message } of [...ja.errors, ...ja.warnings]) assert.match(message, /[ぁ-ん]/, code);
  });

  test('200: what was removed, what stood there before a rule, a foreign sender, and nobody', async () => {
    const { client, list_id } = await newSender(app, []);
    const other = (await client.post('/mail/lists', { name: '別' })).body.list.id;
    const filter = { all: [] };
    const segment_id = (await client.post('/mail/segments', { name: '全員', filter })).body.segment.id;
    const path = await newDraft(client, { list_ids: [list_id], from_email: 'a@example.co.jp' });
    const nobody = await client.get(`${path}/checks`);
    assert.deepEqual(codes(nobody.body.checks.errors), ['no_recipients /list_ids']);
    await client.patch(path, { exclude_list_ids: [other], segment_id });
    await client.delete(`/mail/lists/${other}`);
    await client.delete(`/mail/segments/${segment_id}`);
    await client.patch('/mail/settings', { default_from_email: 'a@example.com' });
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(`UPDATE mail_campaigns SET body_text = 'あ {{x}}', preheader = '{{' WHERE organization_id = $1`, [
        client.actor.organization_id,
      ]),
    );
    const { checks } = (await client.get(`${path}/checks`, { 'Accept-Language': 'ja' })).body;
    assert.deepEqual(codes(checks.errors), [
      'domain_not_allowed /from_email',
      'unknown_reference /exclude_list_ids/0',
      'unknown_reference /segment_id',
      'unknown_placeholder /preheader',
      'unknown_placeholder /body_text',
    ]);
    assert.deepEqual(codes(checks.warnings), [
      'dkim_key_missing /from_email',
      'base_url_insecure ',
      'local_mailbox ',
    ]);
    for (const { code, message } of checks.errors) assert.match(message, /[ぁ-ん]/, code);
  });

  test('200: a segment that leaves out nobody is told, of all contacts and of lists', async () => {
    const { client, list_id } = await newSender(app, ['a@example.jp']);
    const made = await client.post('/mail/segments', { name: '全員', filter: { all: [] } });
    const segment_id: string = made.body.segment.id;
    const path = await newDraft(client, { list_ids: [], segment_id });
    const toldOf = async (headers = {}) =>
      (await client.get(`${path}/checks`, headers)).body.checks.warnings.filter(
        ({ code }: Told) => code === 'filter_matches_everybody',
      );
    assert.match((await toldOf())[0].message, /finds every contact/);
    await client.patch(path, { list_ids: [list_id] });
    const [{ path: place, message }] = await toldOf({ 'Accept-Language': 'ja' });
    assert.deepEqual([place, message.includes('リストの全員')], ['/segment_id', true]);
    const filter = { field: 'domain', op: 'equals', value: 'example.jp' };
    await client.patch(`/mail/segments/${segment_id}`, { filter });
    assert.deepEqual(await toldOf(), []);
  });

  test('200: mail order wants a consent and nothing less, a notice wants none', async () => {
    const { client, list_id } = await newSender(app);
    const consent = { basis: 'relationship', source: '取引', at: '2026-01-01T00:00:00Z' };
    await addContact(client, { email: 'b@example.jp', list_id, consent });
    await addContact(client, { email: 'c@example.jp', list_id, consent: null });
    await client.patch('/mail/settings', { mail_order_notice_url: 'https://example.co.jp/law' });
    const skipped = async (fields: object) =>
      (await client.get(`${await newDraft(client, { list_ids: [list_id], ...fields })}/checks`)).body.checks
        .audience.skipped_by;
    assert.deepEqual(await skipped({}), { no_consent: 1 });
    assert.deepEqual(await skipped({ mail_order: true }), { no_consent: 2 });
    assert.deepEqual(await skipped({ purpose: 'notice', mail_order: true }), {});
  });

  test('403: a segment with fields of the CRM without crm:read', async () => {
    const { client } = await newSender(app);
    const filter = { field: 'crm.owner_id', op: 'is_empty' };
    const segment_id = (await client.post('/mail/segments', { name: '担当なし', filter })).body.segment.id;
    const path = await newDraft(client, { segment_id });
    const { organization_id } = client.actor;
    const blind = await app.actor({ organization_id, scopes: ['mail:read'] });
    const reply = await blind.get(`${path}/checks`);
    assert.deepEqual([reply.status, reply.body.required_scope], [403, 'crm:read'], reply.text);
  });

  test('404: a campaign of another organization', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    assert.equal((await (await app.actor()).get(`${path}/checks`)).status, 404);
  });
});
