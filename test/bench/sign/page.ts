import assert from 'node:assert/strict';
import { startApp } from '../../support/app.ts';
import { seedSignings } from '../../support/many-signings.ts';
import { opened, several } from '../../support/opened-signing.ts';
import { filled } from '../../support/plans.ts';
import { quantile } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 200);

/** Milliseconds of a signer's page as HTML, before and after access, in an organization with very many documents. */
export async function page(): Promise<string> {
  const app = await startApp();
  app.context.settings.embeddedDatabase = true;
  const { guest, sender } = await opened(app, several([1, 1, 1]));
  await filled(app.database_url, () => seedSignings(app.database, sender.actor, { count: ROWS }));
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: app.database_url,
    DATA_DIR: app.context.settings.dataDir,
    AUTH_SECRET: 'a secret of the tests, long enough',
  });
  const url = `${server.base_url}/sign/${guest.token}`;
  const form = new URLSearchParams({ action: 'open' });
  const opening = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  const [cookie = ''] = opening.headers.getSetCookie().map((each) => each.slice(0, each.indexOf(';')));
  assert.ok(cookie, `${opening.status}: the page gave no access`);
  const lines = ['| the page of a signer | p50 ms | p95 ms | aim |', '|---|---|---|---|'];
  for (const [name, headers] of [
    ['before access', {}],
    ['with access', { Cookie: cookie }],
  ] as const) {
    const took: number[] = [];
    for (let time = -20; time < TIMES; time += 1) {
      const began = performance.now();
      const reply = await fetch(url, { headers: { Accept: 'text/html', ...headers } });
      const text = await reply.text();
      assert.equal(text.includes('document_sha256'), 'Cookie' in headers);
      assert.equal(reply.status, 200);
      if (time >= 0) took.push(performance.now() - began);
    }
    lines.push(`| ${name} | ${quantile(took, 0.5).toFixed(1)} | ${quantile(took, 0.95).toFixed(1)} | 100 |`);
  }
  await server.stop();
  return lines.join('\n');
}
