import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { awayDuring } from '../../../../shared/attendance/leave/rules/intervals.ts';
import { overlaps } from '../../../../shared/attendance/leave/rules/overlap.ts';
import { daysTaken, type LeaveSpan } from '../../../../shared/attendance/leave/rules/span.ts';
import { zoneOf } from '../../../../shared/kernel/local-time.ts';
import { day } from './random-histories.ts';
import { night, office } from './schedules.ts';

function span(fields: Partial<LeaveSpan> & { start_date: string }): LeaveSpan {
  const none = { start_unit: null, end_unit: null, start_time: null, hours: null };
  return { unit: 'full', end_date: fields.end_date ?? fields.start_date, ...none, ...fields };
}

const timesOn = () => office;

/** 2026-11-23 is a Monday. */
const MONDAY = '2026-11-23';
const isWeekday = (date: string) => Temporal.PlainDate.from(date).dayOfWeek < 6;

describe('a request takes', () => {
  const table: [
    name: string,
    fields: Partial<LeaveSpan> & { start_date: string },
    taken: [string, number, number][],
  ][] = [
    ['a day', { start_date: MONDAY }, [[MONDAY, 2, 0]]],
    ['a morning', { unit: 'half_am', start_date: MONDAY }, [[MONDAY, 1, 0]]],
    ['an afternoon', { unit: 'half_pm', start_date: MONDAY }, [[MONDAY, 1, 0]]],
    ['hours', { unit: 'hourly', start_date: MONDAY, start_time: '09:00', hours: 3 }, [[MONDAY, 0, 3]]],
    [
      'workdays alone',
      { start_date: '2026-11-20', end_date: MONDAY },
      [
        ['2026-11-20', 2, 0],
        [MONDAY, 2, 0],
      ],
    ],
    [
      'half of the first and of the last day',
      { start_date: MONDAY, end_date: '2026-11-25', start_unit: 'half_pm', end_unit: 'half_am' },
      [
        [MONDAY, 1, 0],
        ['2026-11-24', 2, 0],
        ['2026-11-25', 1, 0],
      ],
    ],
    ['half of a single day by its first', { start_date: MONDAY, start_unit: 'half_pm' }, [[MONDAY, 1, 0]]],
    ['half of a single day by its last', { start_date: MONDAY, end_unit: 'half_am' }, [[MONDAY, 1, 0]]],
    ['nothing of a weekend', { start_date: '2026-11-21', end_date: '2026-11-22' }, []],
  ];
  for (const [name, fields, taken] of table) {
    it(name, () =>
      assert.deepEqual(
        daysTaken(span(fields), isWeekday),
        taken.map(([date, halves, hours]) => ({ date, halves, hours })),
      ),
    );
  }
});

describe('two requests overlap', () => {
  const hours = (start_time: string, count: number) =>
    span({ unit: 'hourly', start_date: MONDAY, start_time, hours: count });
  const am = span({ unit: 'half_am', start_date: MONDAY });
  const pm = span({ unit: 'half_pm', start_date: MONDAY });
  const whole = span({ start_date: MONDAY });
  const table: [one: LeaveSpan, other: LeaveSpan, overlap: boolean][] = [
    [whole, whole, true],
    [whole, am, true],
    [whole, hours('09:00', 1), true],
    [whole, span({ start_date: '2026-11-24' }), false],
    [am, am, true],
    [am, pm, false],
    [am, hours('09:00', 1), true],
    [am, hours('11:00', 2), true],
    [am, hours('12:00', 2), false],
    [pm, hours('09:00', 3), false],
    [pm, hours('11:00', 2), true],
    [hours('09:00', 2), hours('11:00', 2), false],
    [hours('09:00', 2), hours('10:00', 2), true],
    [hours('11:00', 2), hours('13:00', 1), true],
    [span({ start_date: '2026-11-20', end_date: MONDAY, end_unit: 'half_am' }), pm, false],
    [span({ start_date: '2026-11-20', end_date: MONDAY, end_unit: 'half_am' }), am, true],
    [span({ start_date: MONDAY, end_date: '2026-11-25', start_unit: 'half_pm' }), am, false],
    // A day that is no workday yet may become one.
    [
      span({ start_date: '2026-11-20', end_date: '2026-11-21' }),
      span({ start_date: '2026-11-21', end_date: MONDAY }),
      true,
    ],
  ];
  for (const [index, [one, other, overlap]] of table.entries()) {
    it(`or do not: ${index + 1}, ${one.unit} ${one.start_date} and ${other.unit} ${other.start_time ?? other.start_date}`, () => {
      assert.equal(overlaps(one, other, timesOn), overlap);
      assert.equal(overlaps(other, one, timesOn), overlap);
    });
  }

  it('just where they take the same minute of a day', () => {
    const spans = fc
      .record({
        unit: fc.constantFrom('full', 'half_am', 'half_pm', 'hourly'),
        first: fc.nat(4),
        length: fc.nat(3),
        hour: fc.integer({ min: 9, max: 17 }),
        hours: fc.integer({ min: 1, max: 8 }),
        start_unit: fc.constantFrom(null, 'half_pm'),
        end_unit: fc.constantFrom(null, 'half_am'),
      })
      .map(({ unit, first, length, hour, hours: count, start_unit, end_unit }) =>
        unit === 'full'
          ? span({
              start_date: day(first),
              end_date: day(first + length),
              ...halves(length, start_unit, end_unit),
            })
          : unit === 'hourly'
            ? span({
                unit,
                start_date: day(first),
                start_time: `${String(hour).padStart(2, '0')}:00`,
                hours: count,
              })
            : span({ unit, start_date: day(first) }),
      );
    fc.assert(
      fc.property(spans, spans, (one, other) => {
        const theirs = minutesOnPaper(other);
        assert.equal(
          overlaps(one, other, timesOn),
          [...minutesOnPaper(one)].some((minute) => theirs.has(minute)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

/** Of one day, a half at one end alone. */
function halves(length: number, start_unit: string | null, end_unit: string | null) {
  return {
    start_unit: start_unit as 'half_pm' | null,
    end_unit: length === 0 ? null : (end_unit as 'half_am' | null),
  };
}

/** Every scheduled minute that a request takes, as texts. */
function minutesOnPaper({
  unit,
  start_date,
  end_date,
  start_unit,
  end_unit,
  start_time,
  hours,
}: LeaveSpan): Set<string> {
  const minutes = new Set<string>();
  for (
    let date = start_date;
    date <= end_date;
    date = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
  ) {
    let left = unit === 'hourly' ? hours! * 60 : 1_440;
    for (let minute = 0; minute < 1_440; minute += 1) {
      const works = (minute >= 540 && minute < 720) || (minute >= 780 && minute < 1_080);
      const morning = minute < 750;
      if (!works || left === 0) continue;
      if (unit === 'half_am' && !morning) continue;
      if (unit === 'half_pm' && morning) continue;
      if (unit === 'hourly' && minute < Number(start_time!.slice(0, 2)) * 60) continue;
      if (date === start_date && start_unit === 'half_pm' && morning) continue;
      if (date === end_date && end_unit === 'half_am' && !morning) continue;
      left -= 1;
      minutes.add(`${date} ${minute}`);
    }
  }
  return minutes;
}

describe('away', () => {
  const table: [
    name: string,
    fields: Partial<LeaveSpan> & { start_date: string },
    zone: string,
    from: string,
    to: string,
  ][] = [
    ['a day', { start_date: MONDAY }, 'Asia/Tokyo', '2026-11-22T15:00:00Z', '2026-11-23T15:00:00Z'],
    [
      'days over a weekend',
      { start_date: '2026-11-20', end_date: MONDAY },
      'Asia/Tokyo',
      '2026-11-19T15:00:00Z',
      '2026-11-23T15:00:00Z',
    ],
    [
      'a morning',
      { unit: 'half_am', start_date: MONDAY },
      'Asia/Tokyo',
      '2026-11-22T15:00:00Z',
      '2026-11-23T04:00:00Z',
    ],
    [
      'an afternoon',
      { unit: 'half_pm', start_date: MONDAY },
      'Asia/Tokyo',
      '2026-11-23T03:00:00Z',
      '2026-11-23T15:00:00Z',
    ],
    [
      'from one noon to another',
      { start_date: MONDAY, end_date: '2026-11-25', start_unit: 'half_pm', end_unit: 'half_am' },
      'Asia/Tokyo',
      '2026-11-23T03:00:00Z',
      '2026-11-25T04:00:00Z',
    ],
    [
      'hours over the break',
      { unit: 'hourly', start_date: MONDAY, start_time: '11:00', hours: 3 },
      'Asia/Tokyo',
      '2026-11-23T02:00:00Z',
      '2026-11-23T06:00:00Z',
    ],
    [
      'a day of 25 hours',
      { start_date: '2026-11-01' },
      'America/New_York',
      '2026-11-01T04:00:00Z',
      '2026-11-02T05:00:00Z',
    ],
  ];
  for (const [name, fields, zone, from, to] of table) {
    it(name, () =>
      assert.deepEqual(awayDuring(span(fields), timesOn, zoneOf(zone)), {
        start: minute(from),
        end: minute(to),
      }),
    );
  }

  it('for no hours where none is scheduled', () => {
    const hours = span({ unit: 'hourly', start_date: MONDAY, start_time: '19:00', hours: 1 });
    assert.equal(awayDuring(hours, timesOn, zoneOf('Asia/Tokyo')), null);
  });

  it('in the second half of a night until its end', () => {
    assert.deepEqual(
      awayDuring(span({ unit: 'half_pm', start_date: MONDAY }), () => night, zoneOf('UTC')),
      {
        start: minute('2026-11-24T02:00:00Z'),
        end: minute('2026-11-24T07:00:00Z'),
      },
    );
  });
});

const minute = (instant: string) => Date.parse(instant) / 60_000;
