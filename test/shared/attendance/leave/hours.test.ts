import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ScheduleTimes } from '../../../../shared/attendance/days/schedule-times.ts';
import { hourlyCapLeft, hourlyYearOf } from '../../../../shared/attendance/leave/rules/hourly-cap.ts';
import { hoursTaken, mostHoursFrom } from '../../../../shared/attendance/leave/rules/hours-of-day.ts';
import { day } from './random-histories.ts';
import { night, office } from './schedules.ts';

describe('hours of a day', () => {
  const table: [
    time: ScheduleTimes,
    start_time: string,
    hours: number,
    taken: [number, number][],
    most: number,
  ][] = [
    [office, '09:00', 2, [[540, 660]], 8],
    [
      office,
      '11:00',
      3,
      [
        [660, 720],
        [780, 900],
      ],
      6,
    ],
    [office, '12:30', 1, [[780, 840]], 5],
    [office, '08:00', 1, [[540, 600]], 8],
    [office, '17:30', 1, [[1050, 1080]], 1],
    [office, '18:00', 1, [], 0],
    [night, '22:00', 1, [[1320, 1380]], 8],
    [night, '05:00', 2, [[1740, 1860]], 2],
    [
      night,
      '01:00',
      2,
      [
        [1500, 1560],
        [1620, 1680],
      ],
      5,
    ],
    [night, '08:00', 1, [[1320, 1380]], 8],
  ];
  for (const [time, start_time, hours, taken, most] of table) {
    it(`${hours} from ${start_time} of ${time.window.start} on are ${JSON.stringify(taken)}`, () => {
      assert.deepEqual(
        hoursTaken(time, { start_time, hours }),
        taken.map(([start, end]) => ({ start, end })),
      );
      assert.equal(mostHoursFrom(time, start_time), most);
    });
  }
});

describe('the hours of a year', () => {
  it('begin with the anniversary of the first grant', () => {
    assert.deepEqual(hourlyYearOf('2024-02-29', '2026-02-28'), { first: '2025-03-01', last: '2026-02-28' });
    assert.deepEqual(hourlyYearOf('2024-02-29', '2026-03-01'), { first: '2026-03-01', last: '2027-02-28' });
    assert.deepEqual(hourlyYearOf('2025-10-01', '2025-10-01'), { first: '2025-10-01', last: '2026-09-30' });
    assert.equal(hourlyYearOf('2025-10-01', '2025-09-30'), null);
  });

  it('are those of five days', () => {
    const taken = [{ date: '2026-04-01', hours: 13 }];
    assert.equal(hourlyCapLeft('2025-10-01', taken, '2026-05-01', 8), 27);
    assert.equal(hourlyCapLeft('2025-10-01', taken, '2026-10-01', 8), 40);
    assert.equal(hourlyCapLeft('2025-10-01', [{ date: '2026-04-01', hours: 41 }], '2026-05-01', 8), -1);
    assert.equal(hourlyCapLeft('2025-10-01', [], '2026-05-01', 7), 35);
  });

  it('are one year for each day, and years follow each other', () => {
    fc.assert(
      fc.property(fc.nat(1_500), fc.nat(1_500), (first, later) => {
        const on = day(first + later);
        const year = hourlyYearOf(day(first), on)!;
        assert.ok(year.first <= on && on <= year.last);
        const next = Temporal.PlainDate.from(year.last).add({ days: 1 }).toString();
        assert.equal(hourlyYearOf(day(first), next)!.first, next);
      }),
    );
  });
});
