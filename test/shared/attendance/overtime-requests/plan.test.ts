import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import type { Segment } from '../../../../shared/attendance/days/types.ts';
import {
  actualMinutes,
  additionOf,
  plannedMinutes,
} from '../../../../shared/attendance/overtime-requests/plan.ts';
import { dateOf, instantOf, minuteOf } from '../../../../shared/kernel/local-time.ts';
import { organization } from '../../../support/attended-days.ts';

/** A Friday in Japan; minutes count from its midnight there. */
const FRIDAY = minuteOf('2026-11-19T15:00:00.000Z');
const at = (minute: number) => instantOf(FRIDAY + minute);

function planned(from: number, to: number) {
  return {
    kind: 'after' as const,
    work_date: '2026-11-20',
    planned_start_at: at(from),
    planned_end_at: at(to),
  };
}

function segment(from: number, to: number, name: Segment['class']): Segment {
  return { start_at: at(from), end_at: at(to), class: name, night: false };
}

/** 9:00 to 21:00 with breaks at noon and at 18:00. */
const day = [
  segment(540, 720, 'scheduled'),
  segment(720, 780, 'break'),
  segment(780, 1080, 'scheduled'),
  segment(1080, 1110, 'break'),
  segment(1110, 1140, 'non_statutory_overtime'),
  segment(1140, 1260, 'statutory_overtime'),
];

describe('actual minutes', () => {
  const table: [name: string, from: number, to: number, minutes: number][] = [
    ['from the end of the schedule', 1080, 1200, 90],
    ['from within the schedule', 1020, 1200, 90],
    ['to after the work', 1200, 1320, 60],
    ['all within the schedule', 600, 700, 0],
    ['all in a break', 1080, 1110, 0],
    ['the day before', -120, 0, 0],
    ['exactly the overtime', 1110, 1260, 150],
  ];
  for (const [name, from, to, minutes] of table) {
    test(`${name}: ${minutes}`, () => assert.equal(actualMinutes(planned(from, to), day), minutes));
  }

  test('cut to the minute as sessions are', () => {
    const cut = { ...planned(1110, 1140), planned_end_at: '2026-11-20T10:00:59.000Z' };
    assert.deepEqual([plannedMinutes(cut), actualMinutes(cut, day)], [30, 30]);
  });
});

describe('what a plan adds', () => {
  const rules = rulesOf(organization());
  const add = (from: number, to: number, legal: string[], segments: Segment[] = []) =>
    additionOf(planned(from, to), segments, {
      rules,
      dayTypeOn: (number) => (legal.includes(dateOf(number)) ? 'legal_holiday' : 'workday'),
    });

  test('overtime, unless its work date or the date of a minute is a legal holiday', () => {
    assert.deepEqual(add(1080, 1200, []), { statutory_overtime_minutes: 120, legal_holiday_minutes: 0 });
    assert.deepEqual(add(1080, 1200, ['2026-11-20']), {
      statutory_overtime_minutes: 0,
      legal_holiday_minutes: 120,
    });
    assert.deepEqual(add(1380, 1530, ['2026-11-21']), {
      statutory_overtime_minutes: 60,
      legal_holiday_minutes: 90,
    });
    assert.deepEqual(add(1380, 1530, ['2026-11-20']), {
      statutory_overtime_minutes: 0,
      legal_holiday_minutes: 150,
    });
  });

  test('each planned minute is worked, or added once', () => {
    const minute = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(minute, minute, fc.subarray(['2026-11-20', '2026-11-21']), (one, other, legal) => {
        fc.pre(one !== other);
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const added = add(from, to, legal, day);
        const minutes = Array.from({ length: to - from }, (_, index) => from + index);
        const isWorked = (number: number) =>
          day.some(
            ({ start_at, end_at, class: name }) =>
              name !== 'break' && start_at <= at(number) && at(number) < end_at,
          );
        const left = minutes.filter((number) => !isWorked(number));
        const isLegal = (number: number) =>
          legal.includes('2026-11-20') || (number >= 1440 && legal.includes('2026-11-21'));
        assert.deepEqual(added, {
          statutory_overtime_minutes: left.filter((number) => !isLegal(number)).length,
          legal_holiday_minutes: left.filter(isLegal).length,
        });
      }),
    );
  });
});
