import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { onEachEngine } from '../support/engines.ts';
import { askFor, backendOf } from '../support/serving.ts';

const program = resolve(import.meta.dirname, '../../workers/queues-command.ts');
const queue = 'calendar-sync';

onEachEngine((engine) => {
  /** Runs the command; answers its exit code and all that it wrote. */
  function run(...words: string[]): Promise<{ code: number; text: string }> {
    return runWith({}, ...words);
  }

  function runWith(
    more: Record<string, string>,
    ...words: string[]
  ): Promise<{ code: number; text: string }> {
    const env = { ...process.env, ...engine.environment, ...more };
    return new Promise((done) => {
      execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
        done({ code: Number(error?.code ?? 0), text: stdout + stderr });
      });
    });
  }

  test('rebuild puts the tickets that were lost, of what nobody has taken', async () => {
    const { database } = engine.test_database;
    const ids = await askFor(database, { queue, name: 'test.job', count: 1_200 });
    const [taken] = await askFor(database, { queue, name: 'test.job' });
    await database.withConnection('*', ({ query }) =>
      query(
        'UPDATE outbox SET handed_over_at = created_at, hand_overs = 1, taken_by = CASE id WHEN $1 THEN 7 END',
        [taken],
      ),
    );
    const { code, text } = await run('rebuild');
    assert.equal(code, 0, text);
    assert.match(text, /^1200 deliveries .* have their tickets in (postgres|redis)\.\n$/);
    const backend = backendOf(engine);
    const tickets = await backend.queue(queue).getJobs(['waiting', 'prioritized'], 0, 2_000);
    assert.deepEqual(tickets.map(({ data }) => data.delivery_id).sort(), [...ids].sort());
    assert.deepEqual(await run('rebuild'), { code, text });
    assert.equal(await backend.queue(queue).count(), 1_200);
    await backend.queue(queue).close();
    await backend.end();
  });

  test('status tells how the queues stand, and another word is refused', async () => {
    const { code, text } = await run('status');
    assert.equal(code, 0, text);
    assert.match(text, new RegExp(`^The queues are on ${engine.name}\\.\n`));
    assert.match(text, /\ncalendar-sync +0 +1201 +0 /);
    assert.match(text, /clock differs from the database's by -?0 s\.\n$/);
    assert.deepEqual(await run('burn'), { code: 1, text: 'Say one of status, rebuild.\n' });
  });

  test('a Redis that is away is told with what stood in the way, and without its password', async () => {
    const text = 'The queues cannot be used: Redis does not answer: connect ECONNREFUSED 127.0.0.1:1.\n';
    const REDIS_URL = 'redis://:a-secret@127.0.0.1:1';
    assert.deepEqual(await runWith({ REDIS_URL }, 'status'), { code: 1, text });
  });

  test('so is a database that is away', async () => {
    const text = 'The database of DATABASE_URL does not answer: connect ECONNREFUSED 127.0.0.1:1.\n';
    const DATABASE_URL = 'postgres://service:a-secret@127.0.0.1:1/none';
    assert.deepEqual(await runWith({ DATABASE_URL }, 'status'), { code: 1, text });
  });
});
