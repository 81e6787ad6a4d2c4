import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { visitor } from '../../../support/forms.ts';
import { linkInMail } from '../../../support/letters.ts';
import { newOwner, newPerson } from '../../../support/people.ts';

const app = await startApp();

describe('/account', () => {
  test('makes an organization and a key that works, shown once, and revokes it', async () => {
    const person = await newPerson(app);
    const browser = visitor(app, person.cookie);
    assert.match((await browser.get('/account?lang=en')).html, /do not belong to an organization/);
    assert.equal(
      (await browser.send('/account/organizations', { organization_name: 'Own & Co' })).status,
      303,
    );
    assert.match((await browser.get('/account')).html, /Own &#38; Co|Own &amp; Co/);
    const made = await browser.send('/account/api-keys', { key_name: 'reports', scopes: 'crm:read' });
    assert.equal(made.status, 201);
    const secret = /sk_[0-9A-Za-z]{49}/.exec(made.html)![0];
    const byKey = { Authorization: `Bearer ${secret}` };
    assert.equal((await app.anonymous.get('/crm/contacts', byKey)).status, 200);
    assert.equal((await app.anonymous.get('/audit-logs', byKey)).status, 403);
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE api_keys SET created_at = '2026-03-31T15:30:00Z' WHERE name = 'reports'"),
    );
    const { html } = await browser.get('/account?lang=ja');
    assert.ok(html.includes('reports') && !html.includes(secret));
    assert.match(html, /2026年4月1日/, 'the day in Japan');
    assert.match((await browser.get('/account?lang=en')).html, /Apr 1, 2026/);
    const action = /\/account\/api-keys\/ak_\w+\/revoke/.exec(html)![0];
    assert.doesNotMatch(html, new RegExp(`action="${action}`), 'one click revokes nothing');
    for (const [language, asked] of [
      ['en', /Revoke this API key\?.*cannot be brought back.*<strong>reports</s],
      ['ja', /このAPIキーを無効にしますか？.*元に戻せません.*<strong>reports</s],
    ] as const) {
      const question = await browser.get(`${action}?lang=${language}`);
      assert.equal(question.status, 200);
      assert.match(question.html, asked);
      assert.match(question.html, new RegExp(`<form method="post" action="${action}`));
      assert.ok(!question.html.includes(secret));
    }
    assert.equal((await app.anonymous.get('/crm/contacts', byKey)).status, 200);
    const stranger = visitor(app, (await newOwner(app)).cookie);
    assert.equal((await stranger.get(action)).status, 404);
    assert.equal((await visitor(app).get(action)).headers.get('location'), '/sign-in');
    assert.equal((await browser.send(action, {})).status, 303);
    assert.equal((await app.anonymous.get('/crm/contacts', byKey)).status, 401);
    assert.ok(!(await browser.get('/account')).html.includes('reports'));
    assert.equal((await browser.send(action, {})).status, 404);
    assert.equal((await browser.get(action)).status, 404);
  });

  test('is theirs also in a browser that has opened /ops, which sends that password along; a key is not beside a session', async () => {
    const { cookie } = await newOwner(app);
    const browser = visitor(app, cookie);
    const Authorization = `Basic ${Buffer.from('operator:any').toString('base64')}`;
    assert.equal((await browser.get('/account', { Authorization })).status, 200);
    const left = await browser.get('/account', { Authorization: 'Bearer sk_none' });
    assert.deepEqual([left.status, left.headers.get('location')], [303, '/sign-in']);
    const action = '/account/organizations';
    const made = await browser.send(action, { organization_name: 'Beside' }, { Authorization });
    assert.equal(made.status, 303);
    assert.equal((await browser.send('/sign-out', {}, { Authorization })).status, 303);
    assert.equal((await browser.get('/account')).status, 303);
  });

  test('303: changes the organization', async () => {
    const owner = await newOwner(app);
    await owner.post('/organizations', { name: 'Second' });
    const browser = visitor(app, owner.cookie);
    const reply = await browser.send(`/account/organizations/${owner.organization_id}/activate`, {});
    assert.equal(reply.status, 303);
    assert.equal((await owner.get('/organization')).body.organization.id, owner.organization_id);
    const foreign = (await newOwner(app)).organization_id;
    assert.equal((await browser.send(`/account/organizations/${foreign}/activate`, {})).status, 404);
  });

  test('422: a key without a scope is refused beside the scopes; those offered exist, each with its sentence', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    const fields = { key_name: 'lazy', expires_on: '2020-01-01' };
    const none = await browser.send('/account/api-keys?lang=en', fields);
    assert.equal(none.status, 422);
    assert.match(none.html, /id="scopes-fault">Choose at least one scope/);
    assert.match(none.html, /aria-describedby="scopes-hint scopes-fault"/);
    assert.match(none.html, /name="key_name"[^>]*value="lazy"/);
    const past = await browser.send('/account/api-keys?lang=en', { ...fields, scopes: 'crm:read' });
    assert.match(past.html, /id="expires_on-fault">This must be later than now/);
    assert.match(past.html, /value="crm:read"[^>]* checked/);
    assert.equal((await owner.get('/api-keys')).body.total, 0);
    for (const [language, sentence] of [
      ['ja', '会社・担当者・案件・活動を閲覧します。'],
      ['en', 'Read companies, contacts, deals and activities.'],
    ]) {
      const { html } = await browser.get(`/account?lang=${language}`);
      const offered = [...html.matchAll(/name="scopes" value="([^"]+)"/g)].map(([, scope]) => scope!);
      assert.ok(offered.includes('crm:read') && offered.includes('invoicing:write') && offered.includes('*'));
      assert.ok(!offered.some((scope) => /^jobs:/.test(scope)));
      const told = [...html.matchAll(/id="scope-[^"]*-allows">([^<]+)</g)];
      assert.equal(told.length, offered.length);
      assert.ok(html.includes(sentence!), html);
    }
  });

  test('201: a key with a last day ends with it, by the clock in Japan', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    const fields = { key_name: 'until', scopes: 'crm:read', expires_on: '2090-03-31' };
    assert.equal((await browser.send('/account/api-keys', fields)).status, 201);
    const [key] = (await owner.get('/api-keys')).body.items;
    assert.deepEqual([key.scopes, key.expires_at], [['crm:read'], '2090-03-31T14:59:59.999Z']);
    assert.match((await browser.get('/account')).html, /Mar 31, 2090/);
  });

  test('422: a name of two lines is refused at its own form', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    const key = await browser.send('/account/api-keys?lang=en', { key_name: 'a\nb' });
    assert.equal(key.status, 422);
    assert.match(key.html, /id="key_name-fault">No line breaks/);
    assert.ok(!key.html.includes('organization_name-fault'));
    const none = await browser.send('/account/organizations', { organization_name: '' });
    assert.match(none.html, /id="organization_name-fault"/);
  });

  test('303 to the sign-in for who is not signed in, and nothing is made', async () => {
    const reply = await visitor(app).send('/account/api-keys', { key_name: 'x' });
    assert.equal(reply.headers.get('location'), '/sign-in');
  });
});

describe('/reset-password/{token}/keys', () => {
  test('200: the page after a reset tells of living keys and revokes them all; the link proves who asks', async () => {
    const person = await newOwner(app);
    const { secret } = (await person.post('/api-keys', { name: '<b>sync</b>' })).body;
    const works = async () =>
      (await app.anonymous.get('/crm/tags', { Authorization: `Bearer ${secret}` })).status;
    const browser = visitor(app);
    await browser.send('/reset-password', { email: person.email });
    const path = `/reset-password/${await linkInMail(app, 'password_reset', person.user_id)}`;
    assert.equal((await browser.send(`${path}/keys`, {})).status, 410, 'before the reset it proves nothing');
    assert.equal(await works(), 200);
    const done = await browser.send(`${path}?lang=en`, { newPassword: 'another quiet sentence' });
    assert.match(done.html, /API keys of yours that still work: 1/);
    assert.ok(!done.html.includes('<b>') && done.html.includes('sync'), done.html);
    assert.ok(done.html.includes(`action="${path}/keys`), done.html);
    const foreign = await browser.send(`${path}/keys`, {}, { Origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    const revoked = await browser.send(`${path}/keys?lang=en`, {});
    assert.match(revoked.html, /API keys revoked: 1/);
    assert.equal(await works(), 401);
    assert.equal((await browser.send(`/reset-password/${'a'.repeat(64)}/keys`, {})).status, 410);
  });
});
