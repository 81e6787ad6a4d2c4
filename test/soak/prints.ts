import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { memoryOfGroup } from '../../workers/pdf/processes.ts';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { countReady, issueMany } from '../support/many-prints.ts';
import { runningBrowsers, startRenderers } from '../support/pdf-documents.ts';
import { homesIn, processesOf } from '../support/rendering.ts';
import { storedFiles } from '../support/stored.ts';
import { until } from '../support/until.ts';

/**
 * npm run soak -- test/soak/prints.ts: many documents in a row by one worker. Its memory and Chromium's stay what they
 * were, and nothing is left. SOAK_PRINTS says how many.
 */
const PRINTS = Number(process.env.SOAK_PRINTS ?? 1_000);
const HOUR = 3_600_000;
const MIB = 1024 * 1024;

/** MiB by which the later documents may have more than the earlier ones: the collector runs when it likes. */
const SLACK = 48;

test(`${PRINTS} documents in a row`, { timeout: HOUR }, async (context) => {
  const app = await startApp();
  const seller = await newSeller(app);
  const { dataDir } = app.context.settings;
  const workers = await startRenderers(app);
  await issueMany(app, seller, PRINTS);
  const seen: { done: number; worker: number; chromium: number }[] = [];
  const browsers = new Set<number>();
  await until(
    'all are rendered',
    async () => {
      const done = await countReady(app, seller);
      const [pid] = runningBrowsers(dataDir);
      if (pid) browsers.add(pid);
      const chromium = pid ? await memoryOfGroup(pid) : 0;
      seen.push({ done, worker: memoryOf(workers.process.pid!), chromium });
      return done >= PRINTS + 1;
    },
    HOUR,
  );
  const most = (what: 'worker' | 'chromium', from: number, to: number) =>
    Math.max(
      ...seen
        .filter(({ done }) => done >= PRINTS * from && done <= PRINTS * to)
        .map((each) => Math.round(each[what] / MIB)),
    );
  for (const what of ['worker', 'chromium'] as const) {
    const [early, late] = [most(what, 0.2, 0.5), most(what, 0.7, 1)];
    context.diagnostic(`${what}: ${early} MiB at most in the first half, ${late} MiB at the end`);
    assert.ok(late <= early + SLACK, `${what} has grown from ${early} to ${late} MiB`);
  }
  assert.ok(browsers.size >= Math.floor(PRINTS / 200), `${browsers.size} browsers`);
  assert.equal(storedFiles(app).length, PRINTS + 1);
  assert.equal(await workers.stop(), 0);
  for (const pid of browsers) await until('no process is left', () => processesOf(pid).length === 0);
  assert.deepEqual(homesIn(dataDir), []);
});

/** Bytes that a process has in memory. */
function memoryOf(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kibibytes) * 1024;
}
