import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { clockDifference } from '../../shared/platform/operators/clock.ts';
import { guardClock, requireRightClock } from '../../workers/kernel/clock-guard.ts';
import { freshDatabase } from '../support/database.ts';
import { libfaketime, movedClock } from '../support/moved-clock.ts';
import { askFor } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { makeNotes, notes, startTestWorkers, startWorkers } from '../support/workers.ts';

const { database, url, drop } = await freshDatabase();
after(drop);

const MINUTE = 60_000;
const off = (milliseconds: number) => () => new Date(Date.now() + milliseconds);

test('a clock that is about right may start', async () => {
  assert.ok(Math.abs(await clockDifference(database, off(0))) < 30_000);
  await requireRightClock(database, off(0));
  await requireRightClock(database, off(20_000));
  await requireRightClock(database, off(-20_000));
});

test('one that is minutes ahead or behind is refused in one sentence', async () => {
  const ahead = /^The clock of this process is 5 minutes ahead of the database's: set it right and start/;
  const behind = /^The clock of this process is 3 minutes behind the database's: /;
  for (const [clock, words] of [
    [off(5 * MINUTE), ahead],
    [off(-3 * MINUTE), behind],
  ] as const) {
    await assert.rejects(requireRightClock(database, clock), (error) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, words);
      return true;
    });
  }
});

test('one that goes wrong while the process runs stops the work with the reason, until it is right again', async () => {
  let wrong_by = 0;
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const changes: boolean[] = [];
  const guard = guardClock({
    database,
    log,
    every: 5,
    changed: (may_work) => void changes.push(may_work),
    clock: () => off(wrong_by)(),
  });
  assert.equal(guard.mayWork(), true);
  wrong_by = 10 * MINUTE;
  await until('it is noticed', () => !guard.mayWork());
  wrong_by = 1_000;
  await until('it goes on', () => guard.mayWork());
  guard.end();
  assert.deepEqual(changes, [false, true]);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    [
      "The clock of this process is 10 minutes ahead of the database's: the workers take no jobs until it is right",
      'The clock is right again: the workers resume',
    ],
  );
});

describe('a process of workers', { skip: libfaketime ? false : 'libfaketime is not installed' }, () => {
  const clock = movedClock();
  const environment = { DATABASE_URL: url, ...clock.environment };

  test('does not start with a wrong clock, takes no jobs while it is wrong, and all of them after', async () => {
    clock.setOffset('+10m');
    await assert.rejects(
      startWorkers(environment),
      /ended with 1: The clock of this process is 10 minutes ahead/,
    );
    clock.setOffset('+0');
    await makeNotes(database);
    const workers = await startTestWorkers(environment);
    const said = (words: RegExp) => workers.lines.findIndex(({ msg }) => words.test(msg));
    const ask = () => askFor(database, { queue: 'signing-reminder', name: 'test.note', count: 3 });
    const first = await ask();
    await until('jobs are done', async () => (await notes(database, first)).count === 3);
    clock.setOffset('-10m');
    await until('it notices', () => said(/10 minutes behind .*: the workers take no jobs/) >= 0);
    const second = await ask();
    clock.setOffset('+10m');
    const third = await ask();
    assert.equal((await notes(database, [...second, ...third])).count, 0);
    clock.setOffset('+0');
    await until('it goes on', () => said(/^The clock is right again/) >= 0);
    const all = [...first, ...second, ...third];
    await until('all are done', async () => (await notes(database, all)).count === 9);
    assert.deepEqual((await notes(database, all)).twice, []);
    assert.deepEqual(workers.errors, []);
    assert.equal(await workers.stop(), 0);
  });
});
