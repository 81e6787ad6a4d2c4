import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderLetter } from '../../../shared/platform/mailer/letter.ts';
import { startApp } from '../../support/app.ts';
import { lettersAbout, linkInMail } from '../../support/letters.ts';
import { OF_TWO_MAILBOXES, WITHIN_THREE_EACH } from '../../support/mailboxes.ts';

let now = new Date('2026-11-21T00:00:00.000Z');
const app = await startApp({ now: () => now });

const DAY = 24 * 60 * 60_000;
const later = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

async function listOf() {
  const client = await app.actor();
  const made = await client.post('/mail/lists', { name: 'お知らせ' });
  assert.equal(made.status, 201, made.text);
  const list_id: string = made.body.list.id;
  const ask = async (email: string, more: object = {}) => {
    const reply = await client.post('/mail/opt-ins', { email, list_id, ...more });
    assert.equal(reply.status, 202, reply.text);
    return reply.body.opt_in;
  };
  const contact = async (email: string) => {
    const { items } = (await client.get('/mail/contacts?limit=100')).body;
    return items.find((one: { email: string }) => one.email.toLowerCase() === email);
  };
  return { client, list_id, ask, contact };
}

const pageOf = (token: string) => `${app.base_url}/m/s/${token}`;
const confirm = (token: string) => fetch(pageOf(token), { method: 'POST', body: new URLSearchParams() });

describe('POST /mail/opt-ins', () => {
  test('202: a mail asks, opening its page changes nothing, its button makes an active contact of the list', async () => {
    const { client, list_id, ask, contact } = await listOf();
    const said = { first_name: '花子', text: 'お知らせを希望します', source: '展示会' };
    const asked = await ask('Hanako@example.co.jp', said);
    assert.deepEqual([asked.status, asked.confirmed_at], ['pending', null]);
    assert.equal(Date.parse(asked.expires_at) - now.getTime(), 7 * DAY);
    const [letter] = await lettersAbout(app, 'mail.opt_in', asked.id);
    assert.deepEqual(letter!.to, [{ address: 'Hanako@example.co.jp' }]);
    assert.match(renderLetter(letter!).text, /お知らせを希望します/);
    const token = await linkInMail(app, 'mail.opt_in', asked.id);
    for (const method of ['HEAD', 'GET']) {
      assert.equal((await fetch(pageOf(token), { method })).status, 200);
      assert.equal(await contact('hanako@example.co.jp'), undefined);
    }
    later(1_000);
    assert.equal((await confirm(token)).status, 200);
    const made = await contact('hanako@example.co.jp');
    assert.deepEqual([made.status, made.first_name, made.list_ids], ['active', '花子', [list_id]]);
    const { basis, source, text, at, tracking } = made.consent;
    const given = ['consent', '展示会', 'お知らせを希望します', now.toISOString(), false];
    assert.deepEqual([basis, source, text, at, tracking], given);
    const listed = await client.get('/mail/opt-ins?status=confirmed');
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      [asked.id],
    );
    later(1_000);
    assert.equal((await confirm(token)).status, 200);
    assert.equal((await contact('hanako@example.co.jp')).updated_at, made.updated_at);
  });

  test('202: who refused and left is active and in the list again by their own opt-in', async () => {
    const { client, list_id, ask, contact } = await listOf();
    await client.post('/mail/contacts', { email: 'taro@example.co.jp', list_id, last_name: '田中' });
    const { id } = await contact('taro@example.co.jp');
    await client.patch(`/mail/contacts/${id}`, { status: 'unsubscribed' });
    await app.database.withConnection('*', ({ query }) =>
      query('UPDATE mail_list_members SET unsubscribed_at = $2 WHERE contact_id = $1', [
        id,
        now.toISOString(),
      ]),
    );
    later(1_000);
    const asked = await ask('taro@example.co.jp', { last_name: '別名' });
    assert.equal((await confirm(await linkInMail(app, 'mail.opt_in', asked.id))).status, 200);
    const after = await contact('taro@example.co.jp');
    assert.deepEqual([after.id, after.status, after.last_name], [id, 'active', '田中']);
    const put = await client.put(`/mail/lists/${list_id}/contacts/${id}`);
    assert.equal(put.body.membership.unsubscribed_at, null);
  });

  test('202 alike for an address that is suppressed, for the fourth of a day, and for a known one: the first two get no mail', async () => {
    const { client, ask } = await listOf();
    const mailed = async (id: string) => (await lettersAbout(app, 'mail.opt_in', id)).length;
    await client.post('/mail/suppressions', { email: 'never@example.co.jp' });
    const suppressed = await ask('never@example.co.jp');
    const many = [];
    for (const _ of [1, 2, 3, 4]) many.push(await ask('many@example.co.jp'));
    const [first, , , fourth] = many;
    for (const one of [suppressed, fourth]) {
      assert.deepEqual(Object.keys(one), Object.keys(first));
      assert.equal(one.status, 'pending');
      assert.equal(await mailed(one.id), 0);
    }
    assert.equal(await mailed(first.id), 1);
    later(DAY + 1);
    assert.equal(await mailed((await ask('many@example.co.jp')).id), 1);
  });

  test('a mailbox is asked three times a day, whatever stands behind the +', async () => {
    const { ask } = await listOf();
    const all = [];
    for (const email of OF_TWO_MAILBOXES) {
      all.push(await ask(email));
    }
    const letters = await Promise.all(all.map(({ id }) => lettersAbout(app, 'mail.opt_in', id)));
    const written = OF_TWO_MAILBOXES.filter((_, n) => letters[n]!.length === 1);
    assert.deepEqual(written, WITHIN_THREE_EACH);
    assert.equal(letters.flat().length, WITHIN_THREE_EACH.length);
  });

  test('confirmed 20 times at the same time it makes one contact, and each is answered 200', async () => {
    const { client, list_id, ask, contact } = await listOf();
    const asked = await ask('at-once@example.jp');
    const token = await linkInMail(app, 'mail.opt_in', asked.id);
    const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.deepEqual((await contact('at-once@example.jp')).list_ids, [list_id]);
    assert.equal((await client.get('/mail/contacts')).body.total, 1);
  });

  test('three of ten at the same time are mailed', async () => {
    const { ask } = await listOf();
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('together@example.co.jp')));
    const letters = await Promise.all(all.map(({ id }) => lettersAbout(app, 'mail.opt_in', id)));
    assert.equal(letters.flat().length, 3);
  });

  test('404 by its link after seven days; the opt-in is `expired` then', async () => {
    const { client, ask, contact } = await listOf();
    const asked = await ask('late@example.co.jp');
    const token = await linkInMail(app, 'mail.opt_in', asked.id);
    later(7 * DAY);
    assert.equal((await confirm(token)).status, 404);
    assert.equal(await contact('late@example.co.jp'), undefined);
    const listed = await client.get('/mail/opt-ins?status=expired');
    assert.equal(listed.body.items[0].status, 'expired');
  });

  test('the opt-ins of a contact that is erased go with it', async () => {
    const { client, ask, contact } = await listOf();
    const asked = await ask('gone@example.co.jp');
    await confirm(await linkInMail(app, 'mail.opt_in', asked.id));
    const { id } = await contact('gone@example.co.jp');
    assert.equal((await client.delete(`/mail/contacts/${id}`)).status, 200);
    assert.deepEqual((await client.get('/mail/opt-ins')).body.items, []);
  });

  test('422: a list that is not there', async () => {
    const { client } = await listOf();
    const list_id = 'mlist_00000000000000000000000000';
    const reply = await client.post('/mail/opt-ins', { email: 'a@example.co.jp', list_id });
    assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, '/list_id'], reply.text);
  });
});
