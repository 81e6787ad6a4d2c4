import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { lettersAbout, linkInMail } from '../../support/letters.ts';
import { judgeAt } from '../../support/page-judges.ts';
import { faultsOf } from '../../support/valid-html.ts';

const app = await startApp();

test('the page that asks to confirm, the one that thanks and that of an ended link are valid and can be used by everybody', async () => {
  const client = await app.actor();
  const list_id = (await client.post('/mail/lists', { name: 'お知らせ' })).body.list.id;
  const { id } = (await client.post('/mail/opt-ins', { email: 'a@example.co.jp', list_id })).body.opt_in;
  const address = `${app.base_url}/m/s/${await linkInMail(app, 'mail.opt_in', id)}`;
  const pages: string[] = [];
  const both = async (url: string, status: number) => {
    for (const language of ['ja', 'en']) {
      const reply = await fetch(`${url}?lang=${language}`);
      const html = await reply.text();
      assert.equal(reply.status, status);
      pages.push(html);
      assert.match(html, new RegExp(`<html lang="${language}"`));
      await judgeAt(`${url}?lang=${language}`);
    }
  };
  const { name } = (await client.get('/organization')).body.organization;
  assert.ok((await (await fetch(address)).text()).includes(`<header class="top">${name}</header>`));
  await both(address, 200);
  const confirmed = await fetch(address, { method: 'POST', body: new URLSearchParams() });
  assert.equal(confirmed.status, 200);
  pages.push(await confirmed.text());
  await both(address, 200);
  await both(`${app.base_url}/m/s/${'a'.repeat(43)}`, 404);
  assert.deepEqual(faultsOf(pages), []);
});

test('the mail and the page that ask to confirm name the sender whom the later mails name', async () => {
  const client = await app.actor();
  const list_id = (await client.post('/mail/lists', { name: 'お知らせ' })).body.list.id;
  const { status } = await client.patch('/mail/settings', { sender_name: '株式会社山田商店' });
  assert.equal(status, 200);
  const { id } = (await client.post('/mail/opt-ins', { email: 'b@example.co.jp', list_id })).body.opt_in;
  const [letter] = await lettersAbout(app, 'mail.opt_in', id);
  assert.equal(letter?.from_name, '株式会社山田商店');
  assert.equal(letter?.subject, '株式会社山田商店からのメール配信の確認');
  const address = `${app.base_url}/m/s/${await linkInMail(app, 'mail.opt_in', id)}`;
  const page = await (await fetch(address)).text();
  assert.ok(page.includes('<header class="top">株式会社山田商店</header>'));
});
