import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';

let now = new Date();
const app = await startApp({ now: () => now });
const owner = await app.actor();
const { guest, go, open, query, stored } = await formPagesOf(app, owner.actor);

const HOUR = 60 * 60_000;

const gold = { field: 'rank', op: 'equals', value: 'gold' };
const SURVEY = {
  version: 1,
  locale: 'ja',
  title: { en: 'For members', ja: '会員の皆さまへ' },
  hidden: ['rank', 'staff_note'],
  pages: [
    {
      id: 'p',
      fields: [
        { id: 'who', type: 'short_text', label: 'Who', required: true },
        { id: 'gift', type: 'short_text', label: 'Gift', required: true, show_if: gold },
      ],
    },
  ],
};

/** A form for those who were invited, and the path of an invitation to it with the hidden values. */
async function invited(hidden: Record<string, string>, more: object = {}) {
  const { id, path } = await open(SURVEY);
  await query("UPDATE forms_settings SET access = 'invited' WHERE form_id = $1", [id]);
  const recipients = [{ email: 'hanako@example.co.jp', hidden }];
  const reply = await owner.post(`/forms/${id}/invitations`, { recipients, ...more });
  assert.equal(reply.status, 201, reply.text);
  const [invitation] = reply.body.invitations;
  const { pathname, search } = new URL(invitation.url);
  return { id, path, invitation_id: invitation.id, address: `${pathname}${search}&lang=en` };
}

test('an invitation gives the hidden values, above those of the address, and is used once', async () => {
  const { id, path, invitation_id, address } = await invited({ rank: 'gold', staff_note: 'owes us' });
  // As one that was made for a version before, which had that name.
  await query(`UPDATE forms_invitations SET hidden = hidden || '{"former": "x"}' WHERE id = $1`, [
    invitation_id,
  ]);
  const page = await guest.get(`${address}&rank=none`);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('x-robots-tag'), 'noindex');
  assert.doesNotMatch(page.html, /<template>/, 'what the invitation leads to is shown');
  assert.match(page.html, /name="f-gift"/);
  assert.doesNotMatch(page.html, /owes us/);
  const needed = await go(path, page, { 'f-who': 'Hanako' });
  assert.equal(needed.status, 422);
  const answers = { 'f-who': 'Hanako', 'f-gift': 'Tea' };
  const sent = await go(path, needed, answers);
  assert.equal(sent.status, 303, sent.html);
  const [{ data, hidden } = { data: {}, hidden: {} }] = await stored(id);
  assert.deepEqual(data, { who: 'Hanako', gift: 'Tea' });
  assert.deepEqual(
    hidden,
    { rank: 'gold', staff_note: 'owes us' },
    'a name that the version lacks is left out',
  );
  assert.equal((await go(path, needed, answers)).headers.get('location'), sent.headers.get('location'));

  const used = await guest.get(address);
  assert.equal(used.status, 409);
  assert.equal(used.headers.get('x-robots-tag'), 'noindex');
  assert.match(used.html, /<h1>Already answered<\/h1>/);
  assert.match((await guest.get(address.replace('lang=en', 'lang=ja'))).html, /<h1>回答済みです<\/h1>/);
  const other = await go(path, needed, { ...answers, form_token: '' });
  assert.equal(other.status, 409, 'a form without its token has the invitation of its address');
});

test('one that has ended, was taken back or never was reads alike, before and while the form is filled in', async () => {
  const { path, id, invitation_id, address } = await invited(
    {},
    { expires_at: new Date(now.getTime() + HOUR) },
  );
  const page = await guest.get(address);
  assert.match(page.html, /name="f-who".*<template>.*name="f-gift"/s);
  const wrong = await guest.get(`${path}?i=${'A'.repeat(43)}&lang=en`);
  assert.equal((await owner.delete(`/forms/${id}/invitations/${invitation_id}`)).status, 200);
  const revoked = await guest.get(address);
  const other = await invited({}, { expires_at: new Date(now.getTime() + HOUR) });
  now = new Date(now.getTime() + 2 * HOUR);
  const ended = await guest.get(other.address);
  for (const { status, html, headers } of [wrong, revoked, ended]) {
    assert.equal(status, 404);
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    assert.match(html, /<h1>Invitation not found<\/h1>/);
  }
  const late = await go(path, page, { 'f-who': 'Hanako' });
  assert.equal(late.status, 404);
  assert.match(late.html, /Ask whoever invited you/);
  assert.match(late.html, /name="f-who"[^>]*value="Hanako"/);
  assert.deepEqual(await stored(id), []);
});

test('what is saved goes on with its invitation, until that is used up', async () => {
  const { path, id, address } = await invited({ rank: 'gold' });
  const saved = await go(path, await guest.get(address), { 'f-who': 'Hanako' }, 'save');
  const [link = ''] = saved.headers.get('location')!.split('?');
  const resumed = await guest.get(`${link}?lang=en`);
  assert.match(resumed.html, /name="f-gift"/);
  const elsewhere = await go(path, await guest.get(address), { 'f-who': 'Hanako', 'f-gift': 'Tea' });
  assert.equal(elsewhere.status, 303, elsewhere.html);
  const used = await guest.get(`${link}?lang=en`);
  assert.equal(used.status, 409);
  assert.match(used.html, /<h1>Already answered<\/h1>/);
  const late = await go(path, resumed, { 'f-who': 'Taro', 'f-gift': 'Tea' });
  assert.equal(late.status, 409);
  assert.match(late.html, /You have answered already/);
  assert.equal((await stored(id)).length, 1);
});
