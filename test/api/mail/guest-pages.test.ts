import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { campaignMail } from '../../support/campaign-mails.ts';
import { judgeAt } from '../../support/page-judges.ts';
import { faultsOf } from '../../support/valid-html.ts';

const app = await startApp();

/** Answers the page, whose HTML is still to be judged: with the others of its test. */
async function fine(
  url: string,
  { status, language }: { status: number; language: string },
): Promise<string> {
  const reply = await fetch(url);
  const html = await reply.text();
  assert.equal(reply.status, status, url);
  assert.match(html, new RegExp(`<html lang="${language}"`));
  assert.deepEqual(reply.headers.getSetCookie(), []);
  assert.match(reply.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.doesNotMatch(html, /<script/);
  await judgeAt(url);
  return html;
}

test('the pages of who got a mail are valid and can be used by everybody, before and after they unsubscribe', async () => {
  const client = await app.actor();
  await client.patch('/mail/settings', { sender_name: '株式会社山田商店' });
  const mail = await campaignMail(app, client);
  for (const name of ['お知らせ', `${'長'.repeat(60)}いリスト`]) {
    const { list } = (await client.post('/mail/lists', { name })).body;
    await client.put(`/mail/lists/${list.id}/contacts/${mail.contact_id}`);
  }
  const url = `${app.base_url}/m/u/${mail.token('unsubscribe')}`;
  const post = (fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const pages: string[] = [];
  const both = async (status: number, at = url) => {
    for (const language of ['ja', 'en'])
      pages.push(await fine(`${at}?lang=${language}`, { status, language }));
  };
  const { items } = (await client.get('/mail/lists')).body;
  assert.equal((await post({ list_id: items[0].id })).status, 303);
  await both(200);
  assert.equal((await post({ all: '1' })).status, 303);
  await both(200);
  await both(404, `${app.base_url}/m/u/${mail.token('view')}`);
  assert.deepEqual(faultsOf(pages), []);
});

test('the mail as a page is valid and can be read by everybody, in the language of its campaign', async () => {
  const client = await app.actor();
  const pages: string[] = [];
  for (const locale of ['ja', 'en']) {
    const mail = await campaignMail(app, client, { email: `${locale}@example.jp` });
    const body_html =
      '<h2>新商品</h2><p>{{last_name|お客様}} 様</p><p><a href="https://a.example/">見る</a></p>';
    const patched = await client.patch(`/mail/campaigns/${mail.campaign_id}`, {
      subject: '春',
      locale,
      body_html,
    });
    assert.equal(patched.status, 200, patched.text);
    const url = `${app.base_url}/m/v/${mail.token('view')}`;
    pages.push(await fine(url, { status: 200, language: locale }));
  }
  assert.deepEqual(faultsOf(pages), []);
});
