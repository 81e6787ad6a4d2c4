import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp } from '../../support/app.ts';
import { opened, ownSignature, several } from '../../support/opened-signing.ts';
import { quantile } from '../imports/measuring.ts';
import { countSigned } from './contracts.ts';
import { startSealWorkers } from './workers.ts';

const TIMES = Number(process.env['BENCH_TIMES'] ?? 40);

/** What does not count: the browser starts, code gets warm. */
const WARM_UP = 3;

/** Seconds from the last signer's request to the status `signed`, one document at a time. */
export async function latency(): Promise<string> {
  const app = await startApp();
  app.context.settings.embeddedDatabase = true;
  const workers = await startSealWorkers(app);
  const took: number[] = [];
  for (let time = -WARM_UP; time < TIMES; time += 1) {
    const { document, guests } = await opened(app, several([1]));
    const last = guests[0]!;
    const body = { ...(await last.toSign()), values: await ownSignature(last) };
    const began = performance.now();
    const reply = await last.post('/sign', body);
    assert.equal(reply.status, 200, reply.text);
    while ((await countSigned(app, [document.id])) === 0) await pause(10);
    if (time >= 0) took.push((performance.now() - began) / 1000);
  }
  await workers.stop();
  return [
    '| last signature to `signed` | p50 s | p95 s | aim |',
    '|---|---|---|---|',
    `| ${TIMES} documents | ${quantile(took, 0.5).toFixed(2)} | ${quantile(took, 0.95).toFixed(2)} | 1.5 |`,
  ].join('\n');
}
