import type { Page } from 'puppeteer';
import { startApp } from '../../support/app.ts';
import { testBrowser } from '../../support/browser.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { sentDocument } from '../../support/signing-pages.ts';
import { quantile } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';

const TIMES = Number(process.env['BENCH_TIMES'] ?? 20);
const WARM_UP = 3;

const SIGNER = { name: '佐藤 花子', email: 'hanako@example.jp', auth: 'none' };
const FIELD = { key: 'sign', signer: 's1', type: 'signature', page: 1, x: 0.2, y: 0.8, w: 0.3, h: 0.06 };

/** Whether the first page is drawn with its field on it, and the first input takes letters. */
const IS_USABLE = `document.querySelector('.page[data-page="1"] canvas') !== null
  && document.querySelector('.page[data-page="1"] .box') !== null
  && (() => {
    const input = document.querySelector('.signature input[type="text"]');
    input.focus();
    return document.activeElement === input;
  })()`;

/** Milliseconds in a warm Chromium from asking for a signer's page to its first page drawn and its first field usable. */
export async function browser(): Promise<string> {
  const app = await startApp();
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: app.database_url,
    DATA_DIR: app.context.settings.dataDir,
    AUTH_SECRET: 'a secret of the tests, long enough',
  });
  const lines = ["| a signer's page in Chromium | p50 ms | p95 ms | aim |", '|---|---|---|---|'];
  for (const count of [10, 200]) {
    const pdf = pdfOfPages(
      Array.from({ length: count }, (_, at) => ({ text: `Article ${at + 1}. The parties agree.` })),
    );
    const { pages } = await sentDocument(app, { signers: [SIGNER], fields: [FIELD] }, pdf);
    const page = await opened(`${server.base_url}${pages['s1']}`);
    const took: number[] = [];
    for (let time = -WARM_UP; time < TIMES; time += 1) {
      await page.goto('about:blank');
      const began = performance.now();
      await page.goto(`${server.base_url}${pages['s1']}`, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(IS_USABLE, { polling: 'raf' });
      if (time >= 0) took.push(performance.now() - began);
    }
    await page.close();
    const [half, most] = [quantile(took, 0.5), quantile(took, 0.95)];
    lines.push(`| ${count} pages, ${TIMES} times | ${half.toFixed(0)} | ${most.toFixed(0)} | 1,500 |`);
  }
  await (await testBrowser()).close();
  await server.stop();
  return lines.join('\n');
}

/** A page of the browser that has access to a document. */
async function opened(url: string): Promise<Page> {
  const page = await (await testBrowser()).newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url);
  await Promise.all([page.waitForNavigation(), page.click('.opening form button')]);
  return page;
}
