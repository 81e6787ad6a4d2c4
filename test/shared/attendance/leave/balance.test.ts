import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { balanceOn, type LeaveAccount } from '../../../../shared/attendance/leave/rules/balance.ts';

const account: LeaveAccount = {
  hours_per_day: 8,
  grants: [
    { id: 'lgrant_c', granted_on: '2026-10-01', expires_on: '2028-09-30', days: 12 },
    { id: 'lgrant_a', granted_on: '2024-10-01', expires_on: '2026-09-30', days: 10 },
    { id: 'lgrant_b', granted_on: '2025-10-01', expires_on: '2027-09-30', days: 11 },
  ],
  takings: [
    taking('lreq_1', 'approved', ['2026-09-01', '2026-09-02']),
    taking('lreq_2', 'approved', ['2026-11-04', '2026-11-05', '2026-11-06']),
    taking('lreq_3', 'pending', ['2026-11-20']),
    taking('lreq_4', 'approved', ['2026-12-28']),
    { ...taking('lreq_5', 'approved', []), days: [{ date: '2026-11-10', halves: 0, hours: 3 }] },
  ],
};

function taking(id: string, status: 'pending' | 'approved', dates: string[]) {
  return { id, status, start_minute: 0, days: dates.map((date) => ({ date, halves: 2, hours: 0 })) };
}

describe('a balance as of a day', () => {
  const balance = balanceOn(account, '2026-11-24');

  it('has the grants made by then, the oldest first, with what was used, reserved, left and lapsed', () => {
    assert.deepEqual(
      balance.grants.map(({ grant, figures }) => {
        const { used_days, used_hours, reserved_days, remaining_days, lapsed_days } = figures;
        return [grant.id, used_days, used_hours, reserved_days, remaining_days, lapsed_days];
      }),
      [
        ['lgrant_a', 2, 0, 0, 0, 8],
        ['lgrant_b', 3, 3, 2, 5, 0],
        ['lgrant_c', 0, 0, 0, 12, 0],
      ],
    );
  });

  it('adds up what can be taken on that day', () => {
    assert.deepEqual([balance.total_remaining_days, balance.remaining_hours], [17, 5]);
  });

  it('tells the hours of the year and the five days, of which hours are none', () => {
    assert.equal(balance.hourly_cap_left_hours, 37);
    assert.deepEqual(balance.five_day, {
      window_start: '2026-10-01',
      window_end: '2027-09-30',
      months: 12,
      required_days: 5,
      taken_days: 3,
      met: false,
    });
  });

  it('names what ends within 90 days', () => {
    const ending = (as_of: string) => balanceOn(account, as_of).expiring.map(({ grant }) => grant.id);
    assert.deepEqual(ending('2026-11-24'), []);
    assert.deepEqual(ending('2027-07-01'), []);
    assert.deepEqual(ending('2027-07-02'), ['lgrant_b']);
    assert.deepEqual(ending('2027-09-30'), ['lgrant_b']);
    assert.deepEqual(ending('2027-10-01'), []);
  });

  it('knows no grant of a later day', () => {
    const before = balanceOn(account, '2025-09-30');
    assert.deepEqual(
      before.grants.map(({ grant }) => grant.id),
      ['lgrant_a'],
    );
    assert.equal(before.total_remaining_days, 8);
  });

  it('of nothing is nothing', () => {
    assert.deepEqual(balanceOn({ ...account, grants: [], takings: [] }, '2026-11-24'), {
      total_remaining_days: 0,
      remaining_hours: 0,
      hourly_cap_left_hours: null,
      five_day: null,
      expiring: [],
      grants: [],
    });
  });
});
