import { resolve } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { testBrowser, watchedPage } from '../support/browser.ts';
import { useJapaneseFonts } from '../support/japanese-fonts.ts';
import { sentDocument } from '../support/signing-pages.ts';

/** npm run pictures: takes the pictures of the page on which a contract is signed. */
await useJapaneseFonts();

const app = await startApp({ now: () => new Date('2026-12-01T01:00:00.000Z') });

const CLAUSE =
  '乙は、甲の事前の書面による承諾なく、本件業務の全部又は一部を第三者に再委託してはならない。甲及び乙は、信義に従い誠実にこれを履行する。';

/** A contract as a browser prints it. */
async function contract(): Promise<Buffer> {
  const page = await (await testBrowser()).newPage();
  const clauses = Array.from({ length: 6 }, (_, at) => `<p>第${at + 1}条　${CLAUSE}</p>`).join('');
  await page.setContent(
    `<style>body { font: 11pt/1.8 'Noto Sans JP' } h1 { text-align: center }</style><h1>業務委託契約書</h1>${clauses}<p>住所：</p><p>氏名：</p>`,
  );
  const pdf = await page.pdf({ format: 'A4', margin: { top: '20mm', left: '20mm', right: '20mm' } });
  await page.close();
  return Buffer.from(pdf);
}

const signer = { signer: 's1', page: 1 };
const { pages } = await sentDocument(
  app,
  {
    title: '業務委託契約書（2027年度）',
    message: 'お世話になっております。\n内容をご確認のうえ、ご署名をお願いいたします。',
    signers: [{ name: '佐藤 花子', email: 'hanako@example.jp', auth: 'none' }],
    fields: [
      { ...signer, key: 'address', type: 'text', label: '住所', x: 0.2, y: 0.495, w: 0.5, h: 0.03 },
      { ...signer, key: 'name', type: 'name', x: 0.2, y: 0.54, w: 0.35, h: 0.03 },
      { ...signer, key: 'sign', type: 'signature', x: 0.2, y: 0.59, w: 0.3, h: 0.06 },
      { ...signer, key: 'stamp', type: 'stamp', x: 0.6, y: 0.58, w: 0.1, h: 0.07 },
    ],
  },
  await contract(),
);

for (const { name, width, height } of [
  { name: 'signing', width: 1280, height: 900 },
  { name: 'phone', width: 420, height: 900 },
]) {
  test(`docs/pictures/sign-${name}.png`, async () => {
    const { page } = await watchedPage();
    await page.setViewport({ width, height, deviceScaleFactor: 1.25 });
    await page.goto(`${app.base_url}${pages['s1']}?lang=ja`);
    const button = await page.$('.opening form button');
    if (button) await Promise.all([page.waitForNavigation(), button.click()]);
    await page.waitForSelector('.page .box');
    await page.type('.input[data-type="text"] input', '東京都港区芝1-2-3');
    await page.type('.input[data-type="stamp"] input[type="text"]', '佐藤');
    await page.click('.signature input[value="drawn"]');
    const canvas = (await page.waitForSelector('.signature canvas', { visible: true }))!;
    await canvas.scrollIntoView();
    const pad = (await canvas.boundingBox())!;
    await page.mouse.move(pad.x + 30, pad.y + pad.height / 2);
    await page.mouse.down();
    for (let step = 0; step < 60; step += 1) {
      const x = pad.x + 30 + (step * (pad.width - 60)) / 60;
      await page.mouse.move(x, pad.y + pad.height * (0.5 + 0.3 * Math.sin(step / 3) * Math.cos(step / 11)));
    }
    await page.mouse.up();
    const file = resolve(import.meta.dirname, `../../docs/pictures/sign-${name}.png`);
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    await page.screenshot({ path: file, fullPage: name === 'phone' });
    await page.close();
  });
}
