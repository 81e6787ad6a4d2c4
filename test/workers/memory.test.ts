import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { launcher, nodeFlags } from '../../start/launch.ts';
import { openLogs } from '../../start/logs.ts';
import { type Supervised, supervise } from '../../start/supervise.ts';
import { onEachEngine } from '../support/engines.ts';
import { programFile } from '../support/program-files.ts';
import { askFor } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { makeNotes, notes } from '../support/workers.ts';

const program = programFile('test/workers/fixtures/workers.ts');

onEachEngine((engine) => {
  const started: Supervised[] = [];
  after(() => Promise.all(started.map((process) => process.end(20_000))));

  test('a job that takes all memory ends its own process alone, and is given up after too many deaths', async () => {
    const { database } = engine.test_database;
    await makeNotes(database);
    let written = '';
    const stream = new PassThrough();
    stream.on('data', (chunk) => {
      written += chunk;
    });
    const logs = openLogs(stream as unknown as NodeJS.WriteStream);
    const environment = {
      ...process.env,
      ...engine.environment,
      AUTH_SECRET: 'a secret of the tests, long enough',
    };
    for (const queue of ['report-export', 'signing-reminder']) {
      const launch = launcher(program, environment, { words: [queue], flags: nodeFlags({ heap: 64 }) });
      started.push(supervise(queue, launch, logs));
    }
    await Promise.all(started.map((process) => process.ready));

    const [id] = await askFor(database, { queue: 'report-export', name: 'test.eat' }, { starts: 23 });
    const ids = await askFor(database, { queue: 'signing-reminder', name: 'test.note', count: 50 });
    const given_up = await until(
      'the job is given up',
      async () => {
        const [row] = await database.withConnection('*', ({ query }) =>
          query<{ error: string }>('SELECT error FROM outbox WHERE id = $1 AND failed_at IS NOT NULL', [id]),
        );
        return row?.error;
      },
      300_000,
    );
    assert.equal(given_up, 'The process ended 25 times while it ran this job');
    await until('the other queue has done its work', async () => (await notes(database, ids)).count === 50);
    const ends = written.split('\n').filter((line) => line.includes('is started again'));
    assert.ok(ends.length >= 2, 'the process has died');
    assert.ok(
      ends.every((line) => JSON.parse(line).process === 'report-export'),
      ends.join('\n'),
    );
  });
});
