import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  emailVerificationLinks,
  passwordResetLinks,
} from '../../../../shared/platform/mailer/account-tokens.ts';
import { invitationLinks } from '../../../../shared/platform/mailer/invitation-tokens.ts';
import { startApp } from '../../../support/app.ts';
import { formTokenOf, visitor } from '../../../support/forms.ts';
import { linkInMail } from '../../../support/letters.ts';
import { linkOf } from '../../../support/link-contract.ts';
import { newEmail, newMember, newOwner, newPerson, PASSWORD } from '../../../support/people.ts';

const app = await startApp();
const strict = await startApp({ environment: { REQUIRE_EMAIL_VERIFICATION: 'true' } });
const SESSION = 'service.session_token';

async function invited(role = 'manager', email = newEmail()) {
  const owner = await newOwner(app);
  const { body } = await owner.post('/invitations', { email, role });
  return { owner, email, path: `/invite/${await linkInMail(app, 'invitation', body.invitation.id)}` };
}

describe('every page', () => {
  test('is for nobody else: strict policy, no index, no cache, and no referrer where a token stands in the path', async () => {
    const { path } = await invited();
    for (const each of ['/sign-in', '/sign-up', '/reset-password', '/verify-email', path]) {
      const { headers, status, html } = await visitor(app).get(each);
      assert.equal(status, 200, each);
      const policy = headers.get('content-security-policy')!;
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /form-action 'self'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.ok(!policy.includes('unsafe') && !policy.includes('script-src'), policy);
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), each === path ? 'no-referrer' : 'same-origin');
      assert.ok(!/<script|style=|onclick/i.test(html), each);
    }
  });

  test('speaks Japanese and English: as asked, then as the browser prefers', async () => {
    const spoken = async (path: string, header?: string) => {
      const { html } = await visitor(app).get(path, header ? { 'Accept-Language': header } : {});
      return /<html lang="(..)">/.exec(html)![1];
    };
    assert.equal(await spoken('/sign-in', 'ja-JP,ja;q=0.9,en;q=0.8'), 'ja');
    assert.equal(await spoken('/sign-in', 'de,en;q=0.5'), 'en');
    assert.equal(await spoken('/sign-in?lang=en', 'ja'), 'en');
    assert.equal(await spoken('/sign-in?lang=ja', 'en'), 'ja');
    const { html } = await visitor(app).get('/sign-in?lang=ja');
    assert.match(html, /action="\/sign-in\?lang(=|&#61;)ja"/);
  });

  test('403: takes no form of another site', async () => {
    const person = await newPerson(app);
    const fields = { email: person.email, password: PASSWORD };
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const reply = await visitor(app).send('/sign-in', fields, headers);
      assert.equal(reply.status, 403, JSON.stringify(headers));
      assert.ok(!reply.headers.getSetCookie().some((cookie) => cookie.startsWith(SESSION)));
    }
  });

  test('303: takes the form of a page that sends no referrer, in browsers that say more and in those that do not', async () => {
    const own: Record<string, string>[] = [
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null' },
    ];
    for (const headers of own) {
      const { path } = await invited();
      const browser = visitor(app);
      const form_token = formTokenOf((await browser.get(path)).html);
      const reply = await browser.send(path, { name: '田中 太郎', password: PASSWORD, form_token }, headers);
      assert.equal(reply.status, 303, reply.html);
    }
  });

  test('404, 413 and 415 are pages too', async () => {
    const browser = visitor(app);
    assert.equal((await browser.get(`/invite/${'A'.repeat(43)}`)).status, 404);
    const large = await browser.send('/sign-in', { email: 'x'.repeat(70_000) });
    assert.equal(large.status, 413);
    const json = await browser.send('/sign-in', { email: 'x' }, { 'Content-Type': 'application/json' });
    assert.equal(json.status, 415);
    assert.match(json.html, /<h1>/);
  });
});

describe('/sign-up and /sign-in', () => {
  test('303: make an account and a session', async () => {
    const browser = visitor(app);
    const email = newEmail();
    const up = await browser.send('/sign-up', { name: '山田 花子', email, password: PASSWORD });
    assert.equal(up.status, 303, up.html);
    assert.equal(up.headers.get('location'), '/account');
    assert.ok(browser.has(SESSION));
    assert.match((await browser.get('/account')).html, /山田 花子/);
    const out = await browser.send('/sign-out', {});
    assert.equal(out.headers.get('location'), '/sign-in');
    assert.ok(!browser.has(SESSION));
    assert.equal((await browser.get('/account')).headers.get('location'), '/sign-in');
    const wrong = await browser.send('/sign-in?lang=en', { email, password: 'not the password' });
    assert.equal(wrong.status, 401);
    assert.match(wrong.html, /role="alert">The e-mail address or the password is wrong/);
    assert.match(wrong.html, new RegExp(`value="${email}"`));
    assert.ok(!wrong.html.includes('not the password'));
    const right = await browser.send('/sign-in?lang=en', { email, password: PASSWORD });
    assert.equal(right.headers.get('location'), '/account?lang=en');
  });

  test('422: says what is wrong at its field', async () => {
    const fields = { name: '"><script>alert(1)</script>', email: 'no', password: 'short' };
    const reply = await visitor(app).send('/sign-up?lang=en', fields);
    assert.equal(reply.status, 422);
    assert.match(reply.html, /id="email-fault">This does not have the right form/);
    assert.match(reply.html, /id="password-fault">This is too short/);
    assert.ok(!reply.html.includes('<script>'), reply.html);
  });

  test('429: pages have the same limit of guesses', async () => {
    const { email } = await newPerson(app);
    const browser = visitor(app);
    for (let round = 0; round < 10; round++) {
      assert.equal((await browser.send('/sign-in', { email, password: `wrong ${round}` })).status, 401);
    }
    assert.equal((await browser.send('/sign-in', { email, password: PASSWORD })).status, 429);
  });

  test('sign-up is not offered where it is by invitation', async () => {
    const closed = await startApp({ environment: { SIGN_UP: 'invited' } });
    assert.ok(!(await visitor(closed).get('/sign-in')).html.includes('/sign-up'));
    const { html } = await visitor(closed).get('/sign-up');
    assert.ok(!html.includes('<form'), html);
    const fields = { name: 'A', email: newEmail(), password: PASSWORD };
    assert.equal((await visitor(closed).send('/sign-up', fields)).status, 403);
  });
});

describe('a link that has ended', () => {
  test('429: each page limits its requests, by the link, by method', async () => {
    const environment = { RATE_LIMIT_PER_MINUTE: '20' };
    const limited = await startApp({ now: () => new Date('2026-11-21T00:00:00.000Z'), environment });
    for (const purpose of [invitationLinks, passwordResetLinks, emailVerificationLinks]) {
      const path = `${purpose.page}/${await linkOf(limited, { ...purpose, lifetime: -1 })}`;
      for (let sent = 0; sent < 10; sent++) assert.equal((await visitor(limited).get(path)).status, 410);
      assert.equal((await visitor(limited).get(path)).status, 429, path);
      for (let sent = 0; sent < 2; sent++) assert.equal((await visitor(limited).send(path, {})).status, 410);
      assert.equal((await visitor(limited).send(path, {})).status, 429, path);
    }
  });
});

describe('/verify-email', () => {
  test('303: the link confirms with the password alone, and signs in', async () => {
    const browser = visitor(strict);
    const email = newEmail();
    const up = await browser.send('/sign-up?lang=en', { name: 'A', email, password: PASSWORD });
    assert.equal(up.status, 200);
    assert.match(up.html, /Check your mail/);
    const early = await browser.send('/sign-in?lang=en', { email, password: PASSWORD });
    assert.equal(early.status, 403);
    assert.match(early.html, /Send the mail again/);
    assert.equal((await browser.send('/verify-email', { email })).status, 200);
    const user_id = await userIdOf(email);
    const path = `/verify-email/${await linkInMail(strict, 'email_verification', user_id)}`;
    assert.equal((await browser.get(path)).status, 200);
    assert.equal((await browser.get(path)).status, 200);
    assert.equal((await browser.send(path, { password: 'of somebody else' })).status, 401);
    const reply = await browser.send(path, { password: PASSWORD });
    assert.equal(reply.status, 303, reply.html);
    assert.ok(browser.has(SESSION));
    assert.equal((await browser.get(path)).status, 410);
  });
});

describe('/reset-password', () => {
  test('200: the link sets a new password once', async () => {
    const person = await newPerson(app);
    const browser = visitor(app);
    assert.equal((await browser.send('/reset-password', { email: person.email })).status, 200);
    const path = `/reset-password/${await linkInMail(app, 'password_reset', person.user_id)}`;
    assert.match((await browser.get(path)).html, new RegExp(person.email));
    assert.equal((await browser.send(path, { newPassword: 'short' })).status, 422);
    assert.equal(browser.has('service.browser'), false);
    assert.equal((await browser.send(path, { newPassword: 'another quiet sentence' })).status, 200);
    assert.equal(browser.has('service.browser'), true, 'the browser is known to the account');
    assert.equal((await browser.send(path, { newPassword: 'another quiet sentence' })).status, 410);
    const fields = { email: person.email, password: 'another quiet sentence' };
    assert.equal((await browser.send('/sign-in', fields)).status, 303);
  });
});

describe('/invite/{token}', () => {
  test('200: shows who invites, to what, as text; opening it changes nothing', async () => {
    const inviter = await newPerson(app, { name: '<b>"Bo" & Co</b>' });
    await inviter.post('/organizations', { name: '<script>alert(1)</script>' });
    const { body } = await inviter.post('/invitations', { email: newEmail(), role: 'manager' });
    const path = `/invite/${await linkInMail(app, 'invitation', body.invitation.id)}`;
    const { html } = await visitor(app).get(`${path}?lang=en`);
    assert.ok(!html.includes('<script>') && !html.includes('<b>'), html);
    assert.match(html, /&#60;script&#62;|&lt;script&gt;/);
    assert.match(html, /Manager/);
    const shown = await inviter.get(`/invitations/${body.invitation.id}`);
    assert.equal(shown.body.invitation.status, 'pending');
  });

  test('303: joins with a name and a password, with the password of an account, or with one click', async () => {
    const fresh = await invited();
    const browser = visitor(app);
    const reply = await browser.send(fresh.path, { name: '田中 太郎', password: PASSWORD });
    assert.equal(reply.status, 303, reply.html);
    assert.match((await browser.get('/account')).html, /Test Trading/);
    const known = await newMember(app, await newOwner(app), 'member');
    const second = await invited('member', known.email);
    const page = await visitor(app).get(second.path);
    assert.ok(!page.html.includes('name="name"'), page.html);
    assert.equal((await visitor(app).send(second.path, { password: PASSWORD })).status, 303);
    const third = await invited('member', known.email);
    const signedIn = visitor(app, known.cookie);
    assert.ok(!(await signedIn.get(third.path)).html.includes('type="password"'));
    assert.equal((await signedIn.send(third.path, {})).status, 303);
  });

  test('403: signed in with another address, with a way to sign out and back', async () => {
    const { path } = await invited();
    const person = await newPerson(app);
    const browser = visitor(app, person.cookie);
    assert.match((await browser.get(path)).html, new RegExp(`name="back" value="${path}"`));
    assert.equal((await browser.send(path, {})).status, 403);
    assert.equal((await browser.send('/sign-out', { back: path })).headers.get('location'), path);
    assert.ok(!browser.has(SESSION));
  });

  test('303: signing out leads nowhere else', async () => {
    for (const back of ['https://evil.example', '//evil.example', '/invite/../../evil', 'javascript:x']) {
      const reply = await visitor(app).send('/sign-out', { back });
      assert.equal(reply.headers.get('location'), '/sign-in', back);
    }
  });

  test('410: no longer open', async () => {
    const { owner, path } = await invited();
    const { items } = (await owner.get('/invitations')).body;
    await owner.delete(`/invitations/${items[0].id}`);
    const reply = await visitor(app).get(`${path}?lang=en`);
    assert.equal(reply.status, 410);
    assert.match(reply.html, /does not work any more/);
  });
});

async function userIdOf(email: string): Promise<string> {
  return strict.database.withConnection('*', async ({ query }) => {
    const [user] = await query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    return user!.id;
  });
}
