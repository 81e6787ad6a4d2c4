import { tmpdir } from 'node:os';
import { after } from 'node:test';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer';
import { chromiumPath } from '../../workers/pdf/executable.ts';

let opening: Promise<Browser> | undefined;

/** A real browser for this test file; it ends with it. */
export function testBrowser(): Promise<Browser> {
  opening ??= openBrowser();
  return opening;
}

after(async () => (await opening)?.close());

/** Bounds what hangs; a browser that is slow because the machine is busy is no fault of ours. */
const PATIENT = { timeout: 120_000, protocolTimeout: 600_000 };

async function openBrowser(): Promise<Browser> {
  const place = { chrome_path: process.env.CHROME_PATH, data_dir: tmpdir() };
  const executablePath = await chromiumPath(place, new Date());
  return puppeteer.launch({ executablePath, args: ['--no-sandbox'], headless: 'shell', ...PATIENT });
}

/** What a page has asked for, and what it has complained of (refused by its policy, failed scripts). */
export type Watched = { page: Page; urls: string[]; complaints: string[] };

/** A browser that nobody has used: without the cookies of the other tests of its process. */
export async function freshBrowser(): Promise<BrowserContext> {
  return (await testBrowser()).createBrowserContext();
}

/** A new page that is watched. */
export async function watchedPage(of?: BrowserContext): Promise<Watched> {
  const page = await (of ?? (await testBrowser())).newPage();
  // Bounds what hangs; a page that is slow because the machine is busy is no fault of the page.
  page.setDefaultTimeout(120_000);
  const urls: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, urls, complaints };
}
