import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { inWork } from '../../../shared/db/in-work.ts';
import { listen } from '../../../shared/db/listen.ts';
import { job } from '../../../shared/kernel/job.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { freshDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const { database, url, drop } = await freshDatabase();
after(drop);

const asked = job({
  name: 'test.notices',
  queue: 'email',
  payload: z.strictObject({}),
  attempts: 1,
  time_limit: 1_000,
});

/** Writes in a work of its own, as a request does. */
function write(run: (work: Work) => Promise<void> | void): Promise<void> {
  return database.withConnection('org_x', async (connection) => {
    const reader = { connection, organization_id: 'org_x', actor: systemActor, now: new Date() };
    const without = { request_id: null, ip_address: null };
    await inWork({ ...reader, ...without }, async (work) => {
      work.nothingChanged();
      await run(work);
    });
  });
}

/** Listens to the outbox, and looks into it at each notice. What it counts are notices, not the word that it has connected. */
async function listening() {
  let heard = -1;
  let seen = 0;
  const listener = listen({
    url,
    channel: 'outbox',
    heard: () => {
      heard += 1;
      void waiting().then((count) => {
        seen = Math.max(seen, count);
      });
    },
    troubled: (error) => assert.fail(error),
  });
  after(() => listener.end());
  await until('the listener is connected', () => heard === 0);
  return { heard: () => heard, seen: () => seen };
}

const waiting = () =>
  database.withConnection('*', async ({ query }) => {
    const [{ count }] = (await query<{ count: number }>('SELECT count(*)::integer AS count FROM outbox')) as [
      { count: number },
    ];
    return count;
  });

describe('who dispatches jobs', () => {
  test('is told of what was committed, and of nothing else', async () => {
    const { heard } = await listening();
    await write((work) => void work.enqueue(asked, {}));
    await until('the notice', () => heard() === 1);
    const refused = write((work) => {
      work.enqueue(asked, {});
      throw new Error('given up');
    });
    await assert.rejects(refused, /given up/);
    const failed = write((work) => {
      work.enqueue(asked, {});
      work.run('SELECT 1 / $1::integer', [0]);
    });
    await assert.rejects(failed, /division by zero/);
    await write((work) => work.abandon());
    await write(() => undefined);
    await write((work) => void work.enqueue(asked, {}));
    await until('the second notice', () => heard() === 2);
    assert.equal(await waiting(), 2);
  });

  test('is told once of many commits, and after the last one', async () => {
    const { heard, seen } = await listening();
    const before = await waiting();
    const started = performance.now();
    await Promise.all(Array.from({ length: 300 }, () => write((work) => void work.enqueue(asked, {}))));
    const pauses = Math.ceil((performance.now() - started) / 19);
    await until('a look after a notice finds all', () => seen() === before + 300);
    assert.ok(heard() <= pauses + 2, `${heard()} notices in ${pauses} pauses`);
  });
});
