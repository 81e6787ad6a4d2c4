import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  clockText,
  hoursAndMinutes,
  leaveDays,
  leaveText,
} from '../../../../shared/attendance/exports/cells.ts';
import { zoneOf } from '../../../../shared/kernel/local-time.ts';

const tokyo = zoneOf('Asia/Tokyo');

test('minutes as hours and minutes can be read back', () => {
  assert.equal(hoursAndMinutes(1_988), '33:08');
  assert.equal(hoursAndMinutes(5), '00:05');
  fc.assert(
    fc.property(fc.nat(1_000_000), (minutes) => {
      const [hours, rest] = hoursAndMinutes(minutes).split(':').map(Number) as [number, number];
      assert.equal(hours * 60 + rest, minutes);
      assert.match(hoursAndMinutes(minutes), /^\d{2,}:[0-5]\d$/);
    }),
  );
});

for (const [instant, wanted] of [
  ['2026-10-06T00:00:00.000Z', '09:00'],
  ['2026-10-06T00:00:59.999Z', '09:00'],
  ['2026-10-05T15:00:00.000Z', '00:00'],
  ['2026-10-06T17:30:00.000Z', '26:30'],
  ['2026-10-07T14:59:00.000Z', '47:59'],
  ['2026-10-07T15:00:00.000Z', '2026-10-08 00:00'],
  ['2026-10-05T14:30:00.000Z', '2026-10-05 23:30'],
] as const) {
  test(`${instant} is ${wanted} on the clock of 2026-10-06`, () => {
    assert.equal(clockText(instant, '2026-10-06', tokyo), wanted);
  });
}

test('a clock that is set back shows the same time twice', () => {
  const new_york = zoneOf('America/New_York');
  assert.equal(clockText('2026-11-01T05:30:00.000Z', '2026-11-01', new_york), '01:30');
  assert.equal(clockText('2026-11-01T06:30:00.000Z', '2026-11-01', new_york), '01:30');
  assert.equal(clockText('2026-11-02T05:00:00.000Z', '2026-11-01', new_york), '24:00');
});

test('leave is told with its part of the day; hours are no days', () => {
  const leave = (unit: 'full' | 'half_am' | 'half_pm' | 'hourly', hours: number | null = null) => {
    return { request_id: 'lreq_1', type: 'paid_annual' as const, unit, start_time: null, hours };
  };
  assert.equal(leaveText(leave('full'), 'ja'), '年次有給休暇');
  assert.equal(leaveText(leave('half_pm'), 'ja'), '年次有給休暇（午後）');
  assert.equal(leaveText(leave('hourly', 2), 'en'), 'Annual leave (2 h)');
  assert.equal(leaveDays({ leave: [leave('half_am'), leave('hourly', 3)] }), 0.5);
});
