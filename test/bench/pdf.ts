import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer, { type Page } from 'puppeteer';
import { chromiumPath } from '../../workers/pdf/executable.ts';
import { preparedFonts, writeFontsConf } from '../../workers/pdf/fonts.ts';
import { PAPER_OPTIONS } from '../../workers/pdf/paper/lay-out.ts';
import { paperOf } from '../../workers/pdf/paper/paper.ts';
import { renderPdf } from '../../workers/pdf/render-pdf.ts';
import { openRenderer } from '../../workers/pdf/renderer.ts';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { countReady, issueMany, onePage } from '../support/many-prints.ts';
import { startRenderers } from '../support/pdf-documents.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 200);

/**
 * PDF files a second of a one-page invoice, in turns: bare puppeteer with one page that is used again, the renderer of
 * the workers on its own, and a worker from the commit that asks to the last kept file. Then the first one after a start.
 */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pdf-'));
  const app = await startApp();
  const seller = await newSeller(app);
  const bare = await openBare(folder);
  const place = { chrome_path: process.env.CHROME_PATH, data_dir: folder };
  const renderer = openRenderer({ ...place, clock: () => new Date() });
  const workers = await startRenderers(app, { LOG_LEVEL: 'warn' });
  const first = await rendered(1);
  const rates: Record<'bare' | 'renderer' | 'worker', number[]> = { bare: [], renderer: [], worker: [] };
  const signal = new AbortController().signal;

  /** Seconds from the commit that asks for so many PDF files until the last one is kept. */
  async function rendered(count: number): Promise<number> {
    const before = await countReady(app, seller);
    await issueMany(app, seller, count);
    return timed(async () => {
      // Seldom: asking is work for the same processors.
      while ((await countReady(app, seller)) < before + count) await pause(count > 1 ? 100 : 10);
    });
  }

  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = {
      bare: await timed(async () => {
        for (let at = 0; at < DOCUMENTS; at += 1) await printBare(bare.page, `INV-${at}`);
      }),
      renderer: await timed(async () => {
        for (let at = 0; at < DOCUMENTS; at += 1) {
          await renderPdf(renderer, { print: onePage(`INV-${at}`), images: new Map() }, signal);
        }
      }),
      worker: await rendered(DOCUMENTS),
    };
    if (round === 0) continue;
    for (const name of ['bare', 'renderer', 'worker'] as const) rates[name].push(DOCUMENTS / seconds[name]);
  }
  const starts: number[] = [first];
  await workers.stop();
  for (let time = 1; time < ROUNDS; time += 1) {
    const next = await startRenderers(app, { LOG_LEVEL: 'warn' });
    starts.push(await rendered(1));
    await next.stop();
  }
  await Promise.all([bare.close(), renderer.end()]);
  rmSync(folder, { recursive: true, force: true });
  return tables(rates, starts);
}

/** The same HTML, fonts and browser, and nothing else: no bounds, no author, nothing kept. */
async function openBare(folder: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const home = join(folder, 'bare');
  mkdirSync(home);
  const prepared = await preparedFonts(folder, new Date());
  const browser = await puppeteer.launch({
    executablePath: await chromiumPath(
      { chrome_path: process.env.CHROME_PATH, data_dir: folder },
      new Date(),
    ),
    headless: 'shell',
    pipe: true,
    args: ['--no-sandbox'],
    env: { ...process.env, FONTCONFIG_FILE: await writeFontsConf({ prepared, home, cache: home }) },
  });
  return { page: await browser.newPage(), close: () => browser.close() };
}

async function printBare(page: Page, number: string): Promise<void> {
  await page.setContent(paperOf(onePage(number), new Map()));
  await page.pdf(PAPER_OPTIONS);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

function tables(rates: Record<'bare' | 'renderer' | 'worker', number[]>, starts: number[]): string {
  const row = (name: 'renderer' | 'worker') => {
    const ratios = rates[name].map((rate, round) => rate / rates.bare[round]!);
    return `| ${name} | ${median(rates[name]).toFixed(1)} | ${median(rates.bare).toFixed(1)} | ${median(ratios).toFixed(2)} |`;
  };
  return [
    '| | ours/s | bare/s | ours/bare |',
    '|---|---|---|---|',
    row('renderer'),
    row('worker'),
    '',
    `First PDF after the start of a worker: ${starts.map((seconds) => seconds.toFixed(2)).join(', ')} s`,
  ].join('\n');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
