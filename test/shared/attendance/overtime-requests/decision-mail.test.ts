import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planText } from '../../../../shared/attendance/overtime-requests/decision-mail.ts';

describe('the planned time of overtime in a mail', () => {
  for (const [start, end, en, ja] of [
    ['02T18:00', '02T20:00', '2026-11-02, 18:00 to 20:00', '2026-11-02、18:00から20:00まで'],
    [
      '02T22:00',
      '03T01:30',
      '2026-11-02, 22:00 to 2026-11-03 01:30',
      '2026-11-02、22:00から2026-11-03 01:30まで',
    ],
    [
      '03T07:00',
      '03T07:30',
      '2026-11-02, 2026-11-03 07:00 to 2026-11-03 07:30',
      '2026-11-02、2026-11-03 07:00から2026-11-03 07:30まで',
    ],
  ] as const) {
    test(`from ${start} to ${end}`, () => {
      const plan = {
        work_date: '2026-11-02',
        planned_start_at: new Date(`2026-11-${start}+09:00`).toISOString(),
        planned_end_at: new Date(`2026-11-${end}+09:00`).toISOString(),
      };
      assert.deepEqual(planText(plan, 'Asia/Tokyo'), { en, ja });
    });
  }
});
