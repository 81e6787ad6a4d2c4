import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'puppeteer';
import { startApp } from '../../../support/app.ts';
import { freshBrowser, testBrowser, watchedPage } from '../../../support/browser.ts';
import { follow, judge, tabTo } from '../../../support/page-judges.ts';
import { CONTRACT_FIELDS, sentDocument } from '../../../support/signing-pages.ts';

const app = await startApp();
const signer = { name: '佐藤 花子', email: 'hanako@example.jp', auth: 'none' };
const signature = [
  { key: 'sign', signer: 's1', type: 'signature', page: 1, x: 0.2, y: 0.8, w: 0.3, h: 0.06 },
];

/** A PDF with so many pages of text, as a browser prints it. */
async function printed(pages: number): Promise<Buffer> {
  const page = await (await testBrowser()).newPage();
  const sections = Array.from(
    { length: pages },
    (_, at) => `<h1>Page ${at + 1}</h1><p>Terms of the contract</p>`,
  );
  await page.setContent(`<style>h1:not(:first-child) { break-before: page }</style>${sections.join('')}`);
  const pdf = Buffer.from(await page.pdf({ format: 'A4' }));
  await page.close();
  return pdf;
}

const contract = await printed(2);
const long = await printed(200);

/** The page of a document, in a browser of its own; opened unless said. */
async function visited(path: string, { isOpened = true, hasScript = true, language = 'ja' } = {}) {
  const context = await (await testBrowser()).createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.setJavaScriptEnabled(hasScript);
  await page.goto(`${app.base_url}${path}?lang=${language}`);
  if (isOpened) await submitted(page, '.opening form button');
  return { page, complaints };
}

async function submitted(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(button)]);
}

const drawn = (page: Page) => page.waitForSelector('.page .box');
const stateOf = (page: Page) => page.$eval('.status h2', (heading) => heading.textContent);

describe('accessible', () => {
  for (const language of ['ja', 'en']) {
    test(`${language}: before access, to be signed, refused, and signed; narrow and light, wide and dark`, async () => {
      const { pages } = await sentDocument(
        app,
        { signers: [signer], fields: CONTRACT_FIELDS, allow_forward: true, message: 'ご確認ください。' },
        contract,
      );
      const { page } = await visited(pages['s1']!, { isOpened: false, language });
      // The page's own policy lets no script in; the judge is one.
      await page.setBypassCSP(true);
      const everywhere = async () => {
        for (const [scheme, width] of [
          ['light', 320],
          ['dark', 1280],
        ] as const) {
          await page.setViewport({ width, height: 800 });
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          await page.reload();
          if (await page.$('.drawn')) await drawn(page);
          await page.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
          );
          await judge(page);
        }
      };
      await everywhere();
      await submitted(page, '.opening form button');
      await everywhere();
      await submitted(page, 'form.sign button[type="submit"]');
      await drawn(page);
      await judge(page);
      assert.ok((await page.$$('.summary li')).length > 3);
      await page.goto(`${app.base_url}/verify?lang=${language}`);
      await everywhere();
      await page.close();
    });
  }
});

test('signs without a script: the PDF by a link, a typed signature', async () => {
  const { pages, sender, id } = await sentDocument(app, { signers: [signer], fields: signature }, contract);
  const { page } = await visited(pages['s1']!, { hasScript: false });
  const shown = [
    "document.querySelector('.paper a.button').pathname",
    "getComputedStyle(document.querySelector('.drawn')).display",
  ];
  assert.deepEqual(await page.evaluate(`[${shown.join()}]`), [`${pages['s1']}/pdf`, 'none']);
  await page.type('.signature input[type="text"]', '佐藤 花子');
  await page.click('#consent');
  await submitted(page, 'form.sign button[type="submit"]');
  assert.equal(await stateOf(page), '署名が完了しました');
  const { document } = (await sender.get(`/sign/documents/${id}`)).body;
  assert.deepEqual(document.fields[0].value, { kind: 'typed', text: '佐藤 花子' });
});

test('draws the pages with their text and the fields on them, and takes a drawn signature', async () => {
  const { pages, sender, id } = await sentDocument(app, { signers: [signer], fields: signature }, contract);
  const { page, complaints } = await visited(pages['s1']!);
  await page.setViewport({ width: 1280, height: 900 });
  await drawn(page);
  assert.match(
    (await page.$eval('.textLayer', (layer) => layer.textContent))!,
    /Page 1.*Terms of the contract/,
  );
  await page.click('.signature input[value="drawn"]');
  const pad = (await (await page.waitForSelector('.signature canvas', { visible: true }))!.boundingBox())!;
  await page.mouse.move(pad.x + 20, pad.y + 20);
  await page.mouse.down();
  await page.mouse.move(pad.x + 120, pad.y + 60, { steps: 8 });
  await page.mouse.up();
  await page.waitForSelector('.box.filled polyline');
  // Two fingers zoom the page: what the first one began is no part of the signature.
  const canvas = "document.querySelector('.signature canvas')";
  const strokes = () => page.evaluate(`document.querySelector('input[name$="-strokes"]').value`);
  assert.equal(await page.evaluate(`getComputedStyle(${canvas}).touchAction`), 'pinch-zoom');
  const before = await strokes();
  await page.touchscreen.touchStart(pad.x + 30, pad.y + 30);
  await page.evaluate(`${canvas}.dispatchEvent(new PointerEvent('pointercancel'))`);
  await page.touchscreen.touchEnd();
  assert.equal(await strokes(), before);
  await page.click('#consent');
  await submitted(page, 'form.sign button[type="submit"]');
  assert.equal(await stateOf(page), '署名が完了しました');
  const { value } = (await sender.get(`/sign/documents/${id}`)).body.document.fields[0];
  assert.equal(value.kind, 'drawn');
  assert.ok(
    value.strokes[0].length > 2 && value.strokes.flat(2).every((part: number) => part >= 0 && part <= 1),
  );
  assert.deepEqual(complaints, []);
});

test('is signed by the keyboard alone', async () => {
  const { pages } = await sentDocument(app, { signers: [signer], fields: signature }, contract);
  const { page } = await visited(pages['s1']!, { isOpened: false });
  await follow(page, '.opening button');
  await drawn(page);
  await tabTo(page, '.signature input[type="text"]');
  await page.keyboard.type('佐藤 花子');
  await tabTo(page, '#consent');
  await page.keyboard.press('Space');
  await follow(page, 'form.sign button[type="submit"]');
  assert.equal(await stateOf(page), '署名が完了しました');
});

test('of 200 pages only those are drawn that are looked at', async () => {
  const last = [{ ...signature[0]!, page: 200 }];
  const { pages } = await sentDocument(app, { signers: [signer], fields: last }, long);
  const { page } = await visited(pages['s1']!);
  await drawn(page);
  assert.equal((await page.$$('.page')).length, 200);
  assert.ok((await page.$$('.page canvas')).length < 12);
  await page.focus('.signature input[type="text"]');
  await page.waitForSelector('.page[data-page="200"] canvas');
  assert.match(
    (await page.$eval('.page[data-page="200"] .textLayer', (layer) => layer.textContent)) ?? '',
    /Page 200/,
  );
});

test('verifies a file that anybody has, and keeps the answer apart from any account', async () => {
  const { page } = await watchedPage(await freshBrowser());
  await page.goto(`${app.base_url}/verify?lang=ja`);
  await page.type('#sha256', 'ab'.repeat(32));
  await submitted(page, '#by-hash ~ form button');
  assert.equal(await stateOf(page), '確認できません');
  assert.deepEqual(await page.cookies(), []);
  await page.browserContext().close();
});
