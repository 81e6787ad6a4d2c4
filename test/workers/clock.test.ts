import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { Refusal } from '../../shared/refusal.ts';
import { clockDifference, guardClock, requireRightClock } from '../../workers/kernel/clock-guard.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const { database, drop } = await freshDatabase();
after(drop);

const MINUTE = 60_000;
const off = (milliseconds: number) => () => new Date(Date.now() + milliseconds);

test('a clock that is about right may start', async () => {
  assert.ok(Math.abs(await clockDifference(database, off(0))) < 5_000);
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
      assert.ok(error instanceof Refusal);
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
    ...{ database, log, every: 5, changed: (may_work) => void changes.push(may_work) },
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
      'The clock is right again: the workers go on',
    ],
  );
});
