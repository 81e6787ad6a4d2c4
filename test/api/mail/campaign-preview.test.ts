import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const PATH = '/mail/campaigns';

test('POST /mail/templates/{id}/preview: 200, as a campaign would send it; 404 for that of another organization', async () => {
  const [client, other] = [await app.actor(), await app.actor()];
  await client.patch('/mail/settings', { default_from_email: 'news@yamada.example' });
  const made = await client.post('/mail/templates', {
    name: '月刊',
    subject: '{{last_name|お客様}} 様へ',
    body_text: '{{last_name|お客様}} 様',
  });
  assert.equal(made.status, 201, made.text);
  const path = `/mail/templates/${made.body.template.id}/preview`;
  const reply = await client.post(path);
  assert.equal(reply.status, 200, reply.text);
  const { subject, text, headers } = reply.body.preview;
  assert.deepEqual([subject, headers.From], ['お客様 様へ', 'news@yamada.example']);
  assert.match(text, /^お客様 様\n\n--\n/);
  assert.equal((await other.post(path)).status, 404);
});

test('A preview asked for with an Idempotency-Key is made anew: nothing of the mail is kept', async () => {
  const client = await app.actor();
  await client.patch('/mail/settings', { default_from_email: 'news@yamada.example' });
  const contact = await client.post('/mail/contacts', { email: 'kept@example.jp', last_name: '保存太郎' });
  const contents = { name: '保存', subject: '{{last_name}} 様へ', body_text: '{{last_name}} 様' };
  const { campaign } = (await client.post(PATH, contents)).body;
  const { template } = (await client.post('/mail/templates', contents)).body;
  for (const path of [`${PATH}/${campaign.id}/preview`, `/mail/templates/${template.id}/preview`]) {
    const ask = () => client.post(path, { contact_id: contact.body.contact.id }, { 'Idempotency-Key': path });
    const first = await ask();
    assert.equal(first.body.preview.subject, '保存太郎 様へ', first.text);
    assert.equal((await ask()).body.preview.subject, '保存太郎 様へ');
  }
  const kept = await app.database.withConnection('*', ({ query }) =>
    query("SELECT FROM idempotency_keys AS kept WHERE position('保存太郎 様へ' IN kept::text) > 0"),
  );
  assert.equal(kept.length, 0);
});

describe('POST /mail/campaigns/{id}/preview', () => {
  test('200: the mail as a contact gets it, with the footer of the law and its headers', async () => {
    const client = await app.actor();
    const settings = await client.patch('/mail/settings', {
      sender_name: '株式会社山田商店',
      default_from_email: 'news@yamada.example',
      default_from_name: '山田商店',
      bounce_address: 'bounce@yamada.example',
    });
    assert.equal(settings.status, 200, settings.text);
    const contact = await client.post('/mail/contacts', { email: 'a@example.jp', last_name: 'A&B <x>' });
    const made = await client.post(PATH, {
      name: '春',
      subject: '{{last_name|お客様}} 様へ',
      body_html: '<p>{{last_name|お客様}} 様 {{attributes.会員番号}}</p>',
      track_opens: true,
      track_clicks: true,
    });
    assert.equal(made.status, 201, made.text);
    const path = `${PATH}/${made.body.campaign.id}/preview`;
    const { id: contact_id } = contact.body.contact;
    const reply = await client.post(path, { contact_id });
    assert.equal(reply.status, 200, reply.text);
    const { preview } = reply.body;
    assert.equal(preview.subject, 'A&B <x> 様へ');
    assert.match(preview.html, /<p>A&amp;B &lt;x&gt; 様 <\/p>/);
    assert.match(preview.html, /送信者: 株式会社山田商店/);
    assert.match(preview.text, /^A&B <x> 様/);
    assert.deepEqual(preview.missing_values, ['attributes.会員番号', 'sender_address', 'sender_contact']);
    const { headers } = preview;
    assert.deepEqual(
      [headers.To, headers['List-Unsubscribe-Post'], headers['MIME-Version']],
      ['a@example.jp', 'List-Unsubscribe=One-Click', '1.0'],
    );
    assert.match(headers.From, /<news@yamada\.example>$/);
    assert.match(headers['List-Unsubscribe'], /^<http.*\/m\/u\/[0-9a-z]+>, <mailto:bounce\+[0-9a-z]+@yamada/);
    assert.equal(headers.Date, undefined, 'two previews are the same in whichever second they are made');
    assert.ok(preview.size_bytes > 500, String(preview.size_bytes));
    assert.ok(!preview.html.includes('/m/o/'), 'nothing is counted');
  });

  test('200: of nobody every fallback stands there, also without any settings', async () => {
    const client = await app.actor();
    const body_html = '<p>{{last_name|お客様}} 様 {{email}}</p>';
    const { campaign } = (await client.post(PATH, { name: '春', body_html })).body;
    const reply = await client.post(`${PATH}/${campaign.id}/preview`);
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.body.preview.html, /お客様 様/);
    assert.ok(reply.body.preview.missing_values.includes('email'));
    assert.deepEqual(
      [reply.body.preview.headers.From, reply.body.preview.headers.To],
      [undefined, undefined],
    );
  });

  test('422, 404: a contact or a campaign of another organization', async () => {
    const [client, other] = [await app.actor(), await app.actor()];
    const { campaign } = (await client.post(PATH, { name: '春' })).body;
    const { contact } = (await other.post('/mail/contacts', { email: 'a@example.jp' })).body;
    const reply = await client.post(`${PATH}/${campaign.id}/preview`, { contact_id: contact.id });
    assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
    assert.equal((await other.post(`${PATH}/${campaign.id}/preview`)).status, 404);
  });
});
