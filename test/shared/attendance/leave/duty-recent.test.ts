import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dutyOn, type LiveTaking } from '../../../../shared/attendance/leave/rules/balance.ts';
import {
  metByBounds,
  metByRecent,
  type RecentGrant,
} from '../../../../shared/attendance/leave/rules/duty-recent.ts';
import { dutyWindowOn } from '../../../../shared/attendance/leave/rules/five-day.ts';
import { allocate, type Grant } from '../../../../shared/attendance/leave/rules/uses.ts';
import { day, takingsOf } from './random-histories.ts';

const MOST = 24;
const FULL = ['full', 'full', 'full', 'full'] as const;

type Confirmed = { grants: RecentGrant[]; takings: LiveTaking[] };

/** Grants of which most bring the duty; now and then one that ends early. */
const grantHistories: fc.Arbitrary<Grant[]> = fc
  .array(
    fc.record({
      granted: fc.nat(900),
      length: fc.constantFrom(100, 364, 729, 729, 729),
      halves: fc.constantFrom(4, 20, 20, 22, 30),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.map(({ granted, length, halves }, index) => ({
      id: `lgrant_${index}`,
      granted_on: day(granted),
      expires_on: day(granted + length),
      days: halves / 2,
    })),
  );

/** Requests of which some wait, kept up to a day as they were then; after that grants were moved or cut, some given more. */
const histories: fc.Arbitrary<Confirmed> = fc
  .record({
    grants: grantHistories,
    takings: takingsOf([...FULL, ...FULL, 'half', 'half', 'hours'], { gap: 60, most: MOST }),
    hours: fc.constantFrom(6, 8),
    until: fc.integer({ min: -200, max: 900 }),
    statuses: fc.array(fc.constantFrom('approved', 'approved', 'approved', 'pending'), {
      minLength: MOST,
      maxLength: MOST,
    }),
    moved: fc.array(fc.constantFrom(0, 0, 0, 40), { minLength: 4, maxLength: 4 }),
    lost: fc.array(fc.constantFrom(false, false, false, true), { minLength: MOST, maxLength: MOST }),
  })
  .map(({ grants, takings, hours, until, statuses, moved, lost }) => {
    const { uses } = allocate(grants, takings, hours);
    return {
      grants: grants.map((grant, index) =>
        moved[index] === 0
          ? { ...grant, is_unchanged: true }
          : { ...grant, granted_on: dayAfter(grant.granted_on, moved[index]!), is_unchanged: false },
      ),
      takings: takings.map((taking, index) => ({
        ...taking,
        status: statuses[index] as LiveTaking['status'],
        days: taking.days.map((one) => {
          if (one.date > day(until)) return one;
          if (lost[index]) return { ...one, kept: [] };
          const kept = uses
            .filter(({ request_id, date }) => request_id === taking.id && date === one.date)
            .map(({ grant_id, halves, hours }) => ({ grant_id, halves, hours }));
          return { ...one, kept };
        }),
      })),
    };
  });

function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

describe('whether five days are taken, told of recent requests', () => {
  it('is what all of the leave says, wherever it tells', () => {
    const told = { true: 0, false: 0, null: 0 };
    fc.assert(
      fc.property(
        histories,
        fc.nat(1_300),
        fc.constantFrom(6, 8),
        ({ grants, takings }, at, hours_per_day) => {
          const as_of = day(at);
          const window = dutyWindowOn(grants, as_of);
          const whole = dutyOn({ grants, takings, hours_per_day }, as_of);
          if (window === null) return assert.equal(whole, null);
          const recent = takings.filter(({ days }) => days.at(-1)!.date >= window.window_start);
          const met = metByRecent(grants, recent, window, as_of);
          told[`${met}`] += 1;
          if (met !== null) assert.equal(met, whole!.met);
          // A day that turns out not to count changes nothing of what was told without knowing.
          const loose = recent.map((taking) => ({ ...taking, days: taking.days.map((one) => ({ ...one })) }));
          for (const { days } of loose) for (const one of days) if (!one.kept) one.halves = 2;
          const bound = metByBounds(loose, window, as_of);
          if (bound !== null) assert.equal(bound, whole!.met);
        },
      ),
      { numRuns: 3_000, seed: 20_261_128 },
    );
    // All three are among them: none is told of by chance alone.
    assert.ok(Math.min(...Object.values(told)) > 20, JSON.stringify(told));
  });

  const grant = {
    id: 'lgrant_0',
    granted_on: '2026-04-01',
    expires_on: '2028-03-31',
    days: 10,
    is_unchanged: true,
  };
  const taking = (id: string, dates: string[], status: LiveTaking['status'] = 'approved'): LiveTaking => ({
    id,
    status,
    start_minute: 0,
    days: dates.map((date) => ({ date, halves: 2, hours: 0 })),
  });
  const week = (month: string) => [1, 2, 3, 4, 5].map((date) => `2026-${month}-0${date}`);
  const asked = (takings: LiveTaking[], own: RecentGrant = grant) =>
    metByRecent([own], takings, dutyWindowOn([own], '2026-11-30')!, '2026-11-30');

  it('is told where the grant has room for all, and not where one more was asked for', () => {
    const weeks = [taking('a', week('06')), taking('b', week('12'), 'pending')];
    assert.equal(asked(weeks), true);
    assert.equal(asked([...weeks, taking('c', ['2026-12-20'])]), null);
    assert.equal(asked([taking('a', week('06').slice(1))]), false);
  });

  it('is not told where what was kept, or hours, may have taken the room', () => {
    const kept = (id: string, month: string): LiveTaking => ({
      ...taking(id, [], 'pending'),
      days: week(month).map((date) => ({
        date,
        halves: 2,
        hours: 0,
        kept: [{ grant_id: grant.id, halves: 2, hours: 0 }],
      })),
    });
    const open = taking('a', week('06'));
    assert.equal(asked([open, kept('b', '07')]), true);
    assert.equal(asked([open, kept('b', '07'), kept('c', '08')]), null);
    const hour: LiveTaking = { ...taking('b', []), days: [{ date: '2026-05-01', halves: 0, hours: 1 }] };
    assert.equal(asked([open, hour]), null);
  });

  it('is not told of a changed grant, nor of a request that began before it', () => {
    assert.equal(asked([taking('a', week('06'))], { ...grant, is_unchanged: false }), null);
    assert.equal(asked([taking('a', ['2026-03-31', ...week('04')])]), null);
  });
});
