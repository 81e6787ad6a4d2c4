import assert from 'node:assert/strict';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { startServer } from '../servers.ts';
import { formOfTwenty } from './twenty-fields.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

/** How long a summary of responses of twenty fields takes, from the request to its answer. */
export async function summary(): Promise<string> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 600_000 });
  const actor = await newActor(database);
  const { form_id } = await formOfTwenty({ database, url }, actor, ROWS);
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  try {
    const took: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const began = performance.now();
      const reply = await fetch(`${server.base_url}/api/v1/forms/${form_id}/summary`, {
        headers: { Authorization: `Bearer ${actor.secret}` },
      });
      const text = await reply.text();
      assert.equal(reply.status, 200, text);
      if (round > 0) took.push((performance.now() - began) / 1000);
    }
    took.sort((left, right) => left - right);
    const middle = took[Math.floor(took.length / 2)]!;
    return [
      `| summary of ${ROWS} responses of 20 fields | median s | most s |`,
      '|---|---|---|',
      `| aim: under 3 s for 100,000 | ${middle.toFixed(2)} | ${took.at(-1)!.toFixed(2)} |`,
    ].join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}
