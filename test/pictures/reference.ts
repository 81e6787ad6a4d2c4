import { resolve } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { watchedPage } from '../support/browser.ts';
import { useJapaneseFonts } from '../support/japanese-fonts.ts';

/** npm run pictures: takes the picture of the reference that the documentation shows. */
const app = await startApp();

/** Where a reader finds the service. */
const SERVICE = 'http://localhost:3000';
const CALL = `${SERVICE}/docs/reference#tag/invoicinginvoices/POST/api/v1/invoices/{id}/mark-paid`;

test('docs/pictures/reference.png', async () => {
  await useJapaneseFonts();
  const { page } = await watchedPage();
  await page.setViewport({ width: 1360, height: 900 });
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (!request.url().startsWith(SERVICE)) return request.continue();
    const answer = await fetch(request.url().replace(SERVICE, app.base_url));
    const headers = Object.fromEntries(answer.headers);
    delete headers['content-encoding'];
    await request.respond({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
  });
  await page.goto(CALL, { waitUntil: 'networkidle0' });
  await page.waitForFunction("document.body.textContent.includes('Mark an invoice as paid')");
  await page.screenshot({ path: resolve(import.meta.dirname, '../../docs/pictures/reference.png') });
  await page.close();
});
