import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type CampaignMail, campaignMail, countsOf } from '../../support/campaign-mails.ts';
import type { Client } from '../../support/client.ts';

const app = await startApp();

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = 'application/x-www-form-urlencoded';

const pageOf = (mail: CampaignMail) => `${app.base_url}/m/u/${mail.token('unsubscribe')}`;

const post = (url: string, body: string | FormData | URLSearchParams, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers, redirect: 'manual' });

const oneClick = (mail: CampaignMail, headers: Record<string, string> = {}) =>
  post(pageOf(mail), ONE_CLICK, { 'Content-Type': FORM, ...headers });

async function standingOf(client: Client, { contact_id }: CampaignMail) {
  const { contact } = (await client.get(`/mail/contacts/${contact_id}`)).body;
  return [contact.status, contact.status_reason];
}

const suppressionsOf = async (client: Client) => (await client.get('/mail/suppressions')).body.items;

/** A contact in two lists, and a mail to it. */
async function inLists(client: Awaited<ReturnType<typeof app.actor>>) {
  const lists = await Promise.all(
    ['お知らせ', 'セール'].map(async (name) => (await client.post('/mail/lists', { name })).body.list.id),
  );
  const mail = await campaignMail(app, client);
  for (const list_id of lists) await client.put(`/mail/lists/${list_id}/contacts/${mail.contact_id}`);
  return { lists, mail };
}

describe('POST /m/u/{token}, one click of a mail program', () => {
  test('200: empty, without a cookie, once; whatever the origin, the cookie and the form', async () => {
    const client = await app.actor();
    const mail = await campaignMail(app, client);
    const multipart = new FormData();
    multipart.set('List-Unsubscribe', 'One-Click');
    const foreign = {
      Origin: 'https://mail.example',
      'Sec-Fetch-Site': 'cross-site',
      Cookie: 'service.session_token=x.y',
    };
    const replies = [
      await oneClick(mail),
      await oneClick(mail, foreign),
      await post(pageOf(mail), multipart),
      await post(pageOf({ ...mail, token: (purpose) => mail.token(purpose).toUpperCase() }), multipart),
    ];
    for (const reply of replies) {
      assert.deepEqual([reply.status, await reply.text()], [200, '']);
      assert.deepEqual([reply.headers.getSetCookie(), reply.headers.get('location')], [[], null]);
    }
    assert.deepEqual(await standingOf(client, mail), ['unsubscribed', 'one_click']);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { unsubscribes: 1 });
    const entry = (await client.get(`/mail/audit-logs?entity_id=${mail.contact_id}&action=update`)).body
      .items[0];
    assert.deepEqual([entry.actor.type, entry.changes.status], ['guest', ['active', 'unsubscribed']]);
  });

  test('200: many at once count once', async () => {
    const client = await app.actor();
    const mail = await campaignMail(app, client);
    const replies = await Promise.all(Array.from({ length: 12 }, () => oneClick(mail)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { unsubscribes: 1 });
  });

  test('200: after erasure, or where the contact has another address by now, the address is suppressed', async () => {
    const client = await app.actor();
    const erased = await campaignMail(app, client, { email: 'erased@example.jp' });
    await client.delete(`/mail/contacts/${erased.contact_id}`);
    assert.equal((await oneClick(erased)).status, 200);
    assert.equal((await oneClick(erased)).status, 200);
    const moved = await campaignMail(app, client, { email: 'before@example.jp' });
    await client.patch(`/mail/contacts/${moved.contact_id}`, { email: 'after@example.jp' });
    assert.equal((await oneClick(moved)).status, 200);
    assert.deepEqual(await standingOf(client, moved), ['active', null]);
    for (const email of ['erased@example.jp', 'before@example.jp']) {
      const { items } = (await client.get(`/mail/suppressions?email=${email}`)).body;
      assert.deepEqual([items.length, items[0]?.reason], [1, 'unsubscribed'], email);
    }
  });

  test('422: another body; 404: a letter changed, or a token of another purpose', async () => {
    const client = await app.actor();
    const mail = await campaignMail(app, client);
    const bodies: [string, string][] = [
      ['List-Unsubscribe=Yes', FORM],
      ['', FORM],
      ['{"all":true}', 'application/json'],
    ];
    for (const [body, type] of bodies) {
      assert.equal((await post(pageOf(mail), body, { 'Content-Type': type })).status, 422, String(body));
    }
    const token = mail.token('unsubscribe');
    const altered = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    // Of a campaign and a recipient with numbers that no column holds.
    const far = `11b7vvvvvvvvvv7vvvvvvv${token.slice(-16)}`;
    for (const wrong of [
      altered,
      far,
      mail.token('view'),
      mail.token('unsubscribe_mail'),
      `${token}0`,
      'x',
    ]) {
      const url = `${app.base_url}/m/u/${wrong}`;
      assert.equal((await post(url, ONE_CLICK, { 'Content-Type': FORM })).status, 404, wrong);
    }
    assert.deepEqual(await standingOf(client, mail), ['active', null]);
  });
});

describe('the page /m/u/{token}', () => {
  test('opening it changes nothing; its buttons stop one list, then all', async () => {
    const client = await app.actor();
    const { lists, mail } = await inLists(client);
    for (const method of ['HEAD', 'GET']) assert.equal((await fetch(pageOf(mail), { method })).status, 200);
    const html = await (await fetch(`${pageOf(mail)}?lang=ja`)).text();
    assert.match(html, /t\*\*\*@example\.jp/);
    assert.doesNotMatch(html, /taro@example\.jp|<script/);
    assert.deepEqual(await standingOf(client, mail), ['active', null]);

    const one = await post(`${pageOf(mail)}?lang=ja`, new URLSearchParams({ list_id: lists[0] }));
    assert.deepEqual(
      [one.status, one.headers.get('location'), one.headers.getSetCookie()],
      [303, `${new URL(pageOf(mail)).pathname}?lang=ja`, []],
    );
    assert.deepEqual(await standingOf(client, mail), ['active', null]);
    const { list } = (await client.get(`/mail/lists/${lists[0]}`)).body;
    assert.deepEqual([list.contact_count, list.active_count], [1, 0]);
    assert.equal((await post(pageOf(mail), new URLSearchParams({ list_id: lists[0] }))).status, 303);
    const other = `${lists[0].slice(0, -1)}${lists[0].endsWith('x') ? 'y' : 'x'}`;
    const unknown = await post(pageOf(mail), new URLSearchParams({ list_id: other }));
    assert.equal(unknown.status, 422);
    // The membership stays on record, so that nobody puts them in again without a later consent.
    const again = await client.put(`/mail/lists/${lists[0]}/contacts/${mail.contact_id}`);
    assert.deepEqual([again.status, again.body.code], [422, 'consent_required']);

    assert.equal((await post(pageOf(mail), new URLSearchParams({ all: '1' }))).status, 303);
    assert.deepEqual(await standingOf(client, mail), ['unsubscribed', 'page']);
    assert.match(await (await fetch(`${pageOf(mail)}?lang=en`)).text(), /You are unsubscribed/);
  });

  test('its language is that of lang, of the browser, or of the campaign', async () => {
    const mail = await campaignMail(app, await app.actor());
    const languageOf = async (query: string, headers: Record<string, string>) => {
      const reply = await fetch(`${pageOf(mail)}${query}`, { headers });
      return /<html lang="(\w+)"/.exec(await reply.text())?.[1];
    };
    assert.equal(await languageOf('', { 'Accept-Language': 'fr' }), 'ja');
    assert.equal(await languageOf('', { 'Accept-Language': 'en' }), 'en');
    assert.equal(await languageOf('?lang=en', { 'Accept-Language': 'ja' }), 'en');
  });
});

describe('/api/v1/mail/u/{token}', () => {
  test('200: tells and stops the same, in JSON', async () => {
    const client = await app.actor();
    const { lists, mail } = await inLists(client);
    const path = `/mail/u/${mail.token('unsubscribe')}`;
    const told = await app.anonymous.get(path);
    assert.equal(told.status, 200, told.text);
    assert.deepEqual(told.body, {
      email: 't***@example.jp',
      status: 'active',
      lists: [
        { id: lists[0], name: 'お知らせ', subscribed: true },
        { id: lists[1], name: 'セール', subscribed: true },
      ],
    });
    const left = await app.anonymous.post(path, { list_ids: [lists[1]] });
    assert.equal(left.status, 200, left.text);
    assert.deepEqual(
      left.body.lists.map(({ subscribed }: { subscribed: boolean }) => subscribed),
      [true, false],
    );
    const stopped = await app.anonymous.post(path, { all: true });
    assert.deepEqual([stopped.body.status, stopped.body.lists[0].subscribed], ['unsubscribed', false]);
    assert.deepEqual(await standingOf(client, mail), ['unsubscribed', 'page']);
    await client.delete(`/mail/contacts/${mail.contact_id}`);
    assert.deepEqual((await app.anonymous.get(path)).body, {
      email: null,
      status: 'unsubscribed',
      lists: [],
    });
    assert.deepEqual((await suppressionsOf(client)).length, 1);
  });

  test('422: neither or both, and a list that they are not in', async () => {
    const client = await app.actor();
    const { lists, mail } = await inLists(client);
    const path = `/mail/u/${mail.token('unsubscribe')}`;
    const foreign = (await client.post('/mail/lists', { name: 'ほか' })).body.list.id;
    for (const body of [{}, { all: true, list_ids: lists }, { list_ids: [foreign] }, { all: false }]) {
      assert.equal((await app.anonymous.post(path, body)).status, 422, JSON.stringify(body));
    }
    assert.deepEqual(await standingOf(client, mail), ['active', null]);
  });
});
