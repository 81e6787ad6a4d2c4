import { after } from 'node:test';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type Page } from 'puppeteer';

let opening: Promise<Browser> | undefined;

/** A real browser for this test file; it ends with it. */
export function testBrowser(): Promise<Browser> {
  opening ??= openBrowser();
  return opening;
}

after(async () => (await opening)?.close());

async function openBrowser(): Promise<Browser> {
  return puppeteer.launch({
    executablePath: process.env.CHROME_PATH ?? (await chromium.executablePath()),
    args: await puppeteer.defaultArgs({ args: chromium.args, headless: 'shell' }),
    headless: 'shell',
  });
}

/** What a page has asked for, and what it has complained of (refused by its policy, failed scripts). */
export type Watched = { page: Page; urls: string[]; complaints: string[] };

/** A new page that is watched. */
export async function watchedPage(): Promise<Watched> {
  const page = await (await testBrowser()).newPage();
  const urls: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, urls, complaints };
}
