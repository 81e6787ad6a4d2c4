import type { CDPSession, Page } from 'puppeteer';
import { PAPER_OPTIONS } from './paper/lay-out.ts';

const { printBackground, preferCSSPageSize, tagged: isTagged } = PAPER_OPTIONS;

/** What `page.pdf(PAPER_OPTIONS)` asks Chromium for, but for the file to come whole instead of as a stream. */
const ASKED = {
  printBackground,
  preferCSSPageSize,
  marginTop: 0,
  marginBottom: 0,
  marginLeft: 0,
  marginRight: 0,
  transferMode: 'ReturnAsBase64',
} as const;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * The PDF of what is on a page; tags describe its structure to those who listen, and make a long table fifteen times as
 * large. Puppeteer reads the file in pieces, which costs a one-page document a twentieth of its time.
 */
export async function printPage(page: Page, generateTaggedPDF: boolean = isTagged): Promise<Buffer> {
  const session = sessions.get(page) ?? page.createCDPSession();
  sessions.set(page, session);
  const { data } = await (await session).send('Page.printToPDF', { ...ASKED, generateTaggedPDF });
  return Buffer.from(data, 'base64');
}

/**
 * Has Chromium let go what it holds of a page that was printed. By itself it does so when it is idle: a file of many parts would grow
 * by each of them until its memory runs out.
 */
export async function releasePrinted(page: Page): Promise<void> {
  const session = sessions.get(page);
  await page.setContent('');
  await (await session)?.send('HeapProfiler.collectGarbage');
}
