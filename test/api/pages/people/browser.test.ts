import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import type { Page } from 'puppeteer';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';
import { linkInMail } from '../../../support/letters.ts';
import { newEmail, newOwner, newPerson, PASSWORD } from '../../../support/people.ts';

const app = await startApp();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Runs the judge with the rules of WCAG 2.2 AA; answers each that is broken with the places where it is. */
const AXE = `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.map(({ target, failureSummary }) => target + failureSummary)]))`;

/** The buttons and the heads of tables whose text is broken into more than two lines. */
const BROKEN = `Array.from(document.querySelectorAll('button, thead th')).filter((element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return words.getClientRects().length > 2;
}).map(({ textContent }) => textContent)`;

async function invitation(): Promise<string> {
  const owner = await newOwner(app);
  const { body } = await owner.post('/invitations', { email: newEmail(), role: 'member' });
  return `/invite/${await linkInMail(app, 'invitation', body.invitation.id)}`;
}

async function resetLink(): Promise<string> {
  const person = await newPerson(app);
  await app.anonymous.post('/auth/request-password-reset', { email: person.email });
  return `/reset-password/${await linkInMail(app, 'password_reset', person.user_id)}`;
}

/** Fills a form in and sends it; answers when the next page is there. */
async function send(page: Page, fields: Record<string, string>, selector = 'main form'): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.type(`${selector} [name="${name}"]`, value);
  await Promise.all([page.waitForNavigation(), page.click(`${selector} button`)]);
}

describe('without JavaScript', () => {
  test('a person is invited, joins, makes a key and signs out', async () => {
    const { page, urls, complaints } = await watchedPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(app.base_url + (await invitation()));
    await send(page, { name: '田中 太郎', password: PASSWORD });
    assert.equal(new URL(page.url()).pathname, '/account');
    await page.click('#scope-crm-read');
    await send(page, { key_name: 'reports' }, 'form[action="/account/api-keys"]');
    const secret = await page.$eval('pre code', (code) => code.textContent);
    const reply = await app.anonymous.get('/crm/contacts', { Authorization: `Bearer ${secret}` });
    assert.equal(reply.status, 200);
    await page.goto(`${app.base_url}/account`);
    await send(page, {}, 'form[action="/sign-out"]');
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      urls.filter((url) => !url.startsWith(app.base_url) && !url.startsWith('data:')),
      [],
    );
    await page.close();
  });

  test('a person signs up, creates an organization, and sets a new password', async () => {
    const { page, complaints } = await watchedPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${app.base_url}/sign-up`);
    await send(page, { name: '山田 花子', email: newEmail(), password: PASSWORD });
    await send(page, { organization_name: '山田商事' }, 'form[action="/account/organizations"]');
    assert.match(await page.content(), /山田商事/);
    await page.goto(app.base_url + (await resetLink()));
    await send(page, { newPassword: 'another quiet sentence' });
    assert.equal(await page.$$eval('[role="status"]', (found) => found.length), 1);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('on a phone', () => {
  test('a new key is shown whole and selected by one click, and a key can be revoked without a sideways scroll', async () => {
    const { page } = await watchedPage();
    await page.setViewport({ width: 390, height: 844 });
    await signInAt(page);
    await page.goto(`${app.base_url}/account?lang=ja`);
    const right = `Math.max(...Array.from(document.querySelectorAll('.cards .button, .cards td'), (each) =>
      each.getBoundingClientRect().right))`;
    assert.ok(Number(await page.evaluate(right)) <= 390, 'what can be done to a key is off the screen');
    await page.click('#scope-crm-read');
    await send(page, { key_name: 'reports' }, 'form[action^="/account/api-keys?"]');
    await page.click('.secret');
    const secret = await page.$eval('.secret code', (code) => code.textContent);
    assert.equal(await page.evaluate('getSelection().toString()'), secret);
    assert.equal(await page.evaluate("document.querySelector('.secret').scrollWidth <= 390"), true);
    await page.goto(`${app.base_url}/account?lang=ja`);
    await page.click('a[href*="/revoke"]');
    await page.waitForSelector('form[action*="/revoke"] button');
    assert.match(await page.content(), /無効にしますか/);
    await page.close();
  });
});

describe('accessible', () => {
  const places: Record<string, () => Promise<string>> = {
    'sign-in': async () => '/sign-in',
    'sign-up': async () => '/sign-up',
    'reset-password': resetLink,
    invite: invitation,
    account: async () => '/account',
    downloads: async () => '/downloads',
  };
  for (const [name, pathOf] of Object.entries(places)) {
    for (const language of ['ja', 'en']) {
      test(`${name}, ${language}, light and dark, narrow and wide`, async () => {
        const { page } = await watchedPage();
        const visitor = page.browserContext();
        await visitor.deleteCookie(...(await visitor.cookies()));
        if (name === 'account' || name === 'downloads') await signInAt(page);
        const url = `${app.base_url}${await pathOf()}?lang=${language}`;
        for (const [scheme, width] of [
          ['light', 320],
          ['dark', 1280],
        ] as const) {
          await page.setViewport({ width, height: 800 });
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          await judge(page, url);
        }
        await page.close();
      });
    }
  }

  test('a refused form tells its faults to everybody', async () => {
    const { page } = await watchedPage();
    await page.setBypassCSP(true);
    await page.goto(`${app.base_url}/sign-up?lang=ja`);
    await send(page, { name: 'A', email: 'a@b', password: 'short' });
    await page.addScriptTag({ path: axe });
    assert.deepEqual(await page.evaluate(AXE), []);
    const described = await page.$eval('#password', (field) => field.getAttribute('aria-describedby'));
    assert.equal(described, 'password-hint password-fault');
    await page.close();
  });
});

async function judge(page: Page, url: string): Promise<void> {
  // The page's own policy lets no script in; the judge is one.
  await page.setBypassCSP(true);
  await page.goto(url);
  await page.addScriptTag({ path: axe });
  assert.deepEqual(await page.evaluate(AXE), []);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(overflow, 0, 'the page is wider than the screen');
  assert.deepEqual(await page.evaluate(BROKEN), [], 'a text is squeezed');
}

async function signInAt(page: Page): Promise<void> {
  const owner = await newOwner(app);
  await owner.post('/api-keys', { name: '会計ソフト連携', scopes: ['crm:read', 'invoicing:read'] });
  const [name = '', ...value] = owner.cookie.split('=');
  await page
    .browserContext()
    .setCookie({ name, value: value.join('='), domain: '127.0.0.1', httpOnly: true });
}
