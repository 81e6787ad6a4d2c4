import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

let now = new Date('2026-11-24T00:00:00.000Z');
const app = await startApp({ now: () => now });

/** Sets the clock of the service; 2026-11-24 is a Tuesday, 09:00 in Tokyo is midnight in UTC. */
function at(instant: string): void {
  now = new Date(instant);
}

describe('POST /punches', () => {
  test('a day from clock_in to clock_out, with status and figures', async () => {
    const owner = await newWorkplace(app);
    const punch = (type: string) => owner.done('POST', '/punches', { type });
    at('2026-11-24T00:00:00.000Z');
    const first = await punch('clock_in');
    assert.deepEqual(
      [first.punch.work_date, first.punch.source, first.status.state, first.record.version],
      ['2026-11-24', 'api', 'working', 1],
    );
    at('2026-11-24T03:00:00.000Z');
    assert.equal((await punch('break_start')).status.state, 'on_break');
    at('2026-11-24T04:00:00.000Z');
    await punch('break_end');
    at('2026-11-24T10:30:00.000Z');
    const last = await punch('clock_out');
    assert.deepEqual(
      [
        last.status.state,
        last.record.worked_minutes,
        last.record.scheduled_minutes,
        last.record.statutory_overtime_minutes,
        last.record.break_minutes,
        last.record.version,
      ],
      ['off_duty', 570, 480, 90, 60, 4],
    );
  });

  test('50 clock-ins of a member at once: one begins the session, the others repeat it', async () => {
    const owner = await newWorkplace(app);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => owner.post('/attendance/punches', { type: 'clock_in' })),
    );
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([statuses.get(201)?.length, statuses.get(200)?.length], [1, 49]);
    const ids = new Set(answers.map(({ body }) => body.punch.id));
    assert.equal(ids.size, 1);
  });
});
