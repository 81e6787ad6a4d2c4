import assert from 'node:assert/strict';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { seedCompanies } from '../support/many-records.ts';
import { startWorkers } from '../support/workers.ts';
import { startServer } from './servers.ts';

const COUNT = Number(process.env['BENCH_ROWS'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

/**
 * Approvals by one call and by a call each, in turns, on one API process, one worker and one database. The single calls
 * are sent one after the other, as a program that wants numbers in order sends them.
 */
export async function bench(): Promise<string> {
  const { database, url, drop } = await freshDatabase();
  const actor = await newActor(database);
  const { secret } = actor;
  const [company_id] = await seedCompanies(database, actor, 1);
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  const workers = await startWorkers({ DATABASE_URL: url }, ['--queues', 'csv-import']);
  const send = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${server.base_url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(reply.ok, `${path}: ${reply.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: any answer is read here.
    return (reply.status === 204 ? null : await reply.text()) as any;
  };
  const drafts = async () => {
    const ids: string[] = [];
    const line_items = [{ description: '豆', unit_price: '100' }];
    while (ids.length < COUNT) {
      const text = await send('POST', '/invoices', { company_id, issue_date: '2026-04-01', line_items });
      ids.push(JSON.parse(text).invoice.id);
    }
    return ids;
  };
  try {
    const lines = [
      '| approvals | one call, s | single calls, s | one call/single calls |',
      '|---|---|---|---|',
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, others] = [await drafts(), await drafts()];
      const batch = await seconds(async () => {
        const { job } = JSON.parse(await send('POST', '/invoices/batch', { action: 'approve', ids: one }));
        const events: string = await send('GET', `/jobs/${job.id}/events`);
        assert.match(events, /"status":"succeeded"/);
      });
      const single = await seconds(async () => {
        for (const id of others) await send('POST', `/invoices/${id}/approve`);
      });
      lines.push(
        `| ${COUNT} | ${batch.toFixed(1)} | ${single.toFixed(1)} | ${(batch / single).toFixed(2)} |`,
      );
    }
    return lines.join('\n');
  } finally {
    await workers.stop();
    await server.stop();
    await drop();
  }
}

async function seconds(run: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await run();
  return (performance.now() - begin) / 1000;
}
