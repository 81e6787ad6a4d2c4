import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leaveTypes } from '../../../../shared/attendance/leave/kinds.ts';
import { attendanceOf, attendanceRate } from '../../../../shared/attendance/leave/rules/attendance-rate.ts';

const ON = '2026-10-01';

describe('the rate of attendance', () => {
  const table: [workdays: number, attended: number, percent: number, met: boolean][] = [
    [100, 80, 80, true],
    [100, 79, 79, false],
    [121, 97, 80.1, true],
    [121, 96, 79.3, false],
    [5, 4, 80, true],
    [4, 3, 75, false],
    [2_499, 1_999, 79.9, false],
    [3, 3, 100, true],
    [7, 0, 0, false],
  ];
  for (const [workdays, attended_days, attendance_rate_percent, met] of table) {
    it(`of ${attended_days} of ${workdays} days is ${attendance_rate_percent}`, () =>
      assert.deepEqual(attendanceRate({ workdays, attended_days }, ON), {
        attendance_rate_percent,
        rate_source: 'records',
        met,
      }));
  }

  it('is met without workdays', () => {
    assert.deepEqual(attendanceRate({ workdays: 0, attended_days: 0 }, ON), {
      attendance_rate_percent: null,
      rate_source: 'none',
      met: true,
    });
  });

  it('is replaced by the one that is given', () => {
    const counted = { workdays: 100, attended_days: 100 };
    assert.deepEqual(attendanceRate(counted, ON, 79.9), {
      attendance_rate_percent: 79.9,
      rate_source: 'given',
      met: false,
    });
    assert.equal(attendanceRate({ workdays: 100, attended_days: 0 }, ON, 80).met, true);
  });

  it('is shown as 80 or more just where it is met', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }), (part, workdays) => {
        const attended_days = part % (workdays + 1);
        const { attendance_rate_percent, met } = attendanceRate({ workdays, attended_days }, ON);
        assert.equal(met, BigInt(attended_days) * 100n >= BigInt(workdays) * 80n);
        assert.equal(attendance_rate_percent! >= 80, met);
      }),
    );
  });
});

describe('a day of duty', () => {
  const attended = ['paid_annual', 'work_injury', 'maternity', 'childcare', 'family_care'];
  const released = ['compensatory', 'substitute', 'special', 'condolence'];
  for (const type of leaveTypes) {
    const [workdays, attended_days] = attended.includes(type)
      ? [1, 1]
      : released.includes(type)
        ? [0, 0]
        : [1, 0];
    it(`without presence, on ${type} leave, is ${attended_days} of ${workdays}`, () =>
      assert.deepEqual(attendanceOf([{ present: false, leave: [type] }]), { workdays, attended_days }));
  }

  it('with presence is attended whatever leave it has; without either it is missed', () => {
    assert.deepEqual(
      attendanceOf([
        { present: true, leave: [] },
        { present: true, leave: ['special'] },
        { present: false, leave: [] },
        { present: false, leave: ['special', 'paid_annual'] },
      ]),
      { workdays: 4, attended_days: 3 },
    );
  });
});
