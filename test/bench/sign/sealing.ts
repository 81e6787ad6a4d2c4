import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer, { type Page } from 'puppeteer';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { certificateOf } from '../../../shared/sign/certificate/contents.ts';
import { makeSealed } from '../../../shared/sign/sealing/making.ts';
import { type Prepared, preparedSeal } from '../../../shared/sign/sealing/preparing.ts';
import { chromiumPath } from '../../../workers/pdf/executable.ts';
import { preparedFonts, writeFontsConf } from '../../../workers/pdf/fonts.ts';
import { openRenderer } from '../../../workers/pdf/renderer.ts';
import { certificatePage } from '../../../workers/sign/certificate/page.ts';
import { renderCertificate } from '../../../workers/sign/certificate/render.ts';
import { newActor, type TestActor } from '../../support/actors.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { median } from '../imports/measuring.ts';
import { sealBare } from './bare.ts';
import { askForSeals, countSigned, signedContracts } from './contracts.ts';
import { startSealWorkers } from './workers.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const DOCUMENTS = Number(process.env['BENCH_DOCUMENTS'] ?? 40);

type Rates = Record<'bare' | 'making' | 'worker', number[]>;

/**
 * Contracts a second that are sealed, in turns: by the bare libraries; made and checked, and nothing of them kept; and by a worker from the
 * commit that asks to the last one that is signed.
 */
export async function sealing(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sign-'));
  const app = await startApp();
  const actor = await newActor(app.database);
  const { key } = await testSealKey();
  const bare = await openBare(folder);
  const place = { chrome_path: process.env['CHROME_PATH'], data_dir: folder };
  const renderer = openRenderer({ ...place, clock: () => new Date() });
  const workers = await startSealWorkers(app);
  const { signal } = new AbortController();
  const sealer = { key, authority: null, stamp_required: false, now: new Date(), signal };
  const making = {
    storage: app.context.storage,
    base_url: 'http://127.0.0.1',
    render: (certificate: Parameters<typeof renderCertificate>[1]) =>
      renderCertificate(renderer, certificate, signal),
  };
  const rates: Rates = { bare: [], making: [], worker: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ids = await signedContracts(app, actor, DOCUMENTS);
    await askForSeals(app, actor, []);
    const prepared = await preparedOf(app, actor, ids);
    const htmls = prepared.map((each) =>
      certificatePage(
        certificateOf({
          ...each,
          base_url: making.base_url,
          attachment_name: 'trail.json',
          sealed_sha256: null,
        }),
      ),
    );
    const seconds = {
      bare: await timed(async () => {
        for (const html of htmls) await sealBare(bare.page, html, key);
      }),
      making: await timed(async () => {
        for (const each of prepared) await makeSealed(making, each, sealer);
      }),
      worker: await timed(async () => {
        await askForSeals(app, actor, ids);
        // Seldom: asking is work for the same processors.
        while ((await countSigned(app, ids)) < ids.length) await pause(100);
      }),
    };
    if (round === 0) continue;
    for (const name of ['bare', 'making', 'worker'] as const) rates[name].push(DOCUMENTS / seconds[name]);
  }
  await workers.stop();
  await Promise.all([bare.close(), renderer.end()]);
  rmSync(folder, { recursive: true, force: true });
  return table(rates);
}

/** What the contracts are sealed from, as if their seals were asked for. */
async function preparedOf(
  app: TestApp,
  { organization_id }: TestActor,
  ids: readonly string[],
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  await app.database.withConnection(organization_id, async (connection) => {
    const from = { organization_id, actor: systemActor, request_id: null, ip_address: null };
    const reader = { connection, now: new Date(), ...from };
    await connection.query('BEGIN');
    await connection.query(
      `UPDATE sign_documents SET sealing_status = 'pending', sealing_since = now()
        WHERE organization_id = $1 AND id = ANY ($2)`,
      [organization_id, ids],
    );
    for (const id of ids) prepared.push((await preparedSeal(reader, id))!);
    await connection.query('ROLLBACK');
  });
  return prepared;
}

/** The same fonts and browser, with no bounds. */
async function openBare(folder: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const home = join(folder, 'bare');
  mkdirSync(home);
  const now = new Date();
  const prepared = await preparedFonts(folder, now);
  const browser = await puppeteer.launch({
    executablePath: await chromiumPath({ chrome_path: process.env['CHROME_PATH'], data_dir: folder }, now),
    headless: 'shell',
    pipe: true,
    args: ['--no-sandbox'],
    env: { ...process.env, FONTCONFIG_FILE: await writeFontsConf({ prepared, home, cache: home }) },
  });
  return { page: await browser.newPage(), close: () => browser.close() };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

function table(rates: Rates): string {
  const row = (name: 'making' | 'worker', told: string, aim: string) => {
    const ratios = rates[name].map((rate, round) => rate / rates.bare[round]!);
    return `| ${told} | ${median(rates[name]).toFixed(1)} | ${median(rates.bare).toFixed(1)} | ${median(ratios).toFixed(2)} | ${aim} |`;
  };
  return [
    '| sealing a contract | ours/s | bare/s | ours/bare | aim |',
    '|---|---|---|---|---|',
    row('making', 'made and checked, one after the other', ''),
    row('worker', 'by a worker, to the status `signed`', '0.6'),
  ].join('\n');
}
