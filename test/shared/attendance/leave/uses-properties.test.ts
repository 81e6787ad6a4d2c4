import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { figuresOf } from '../../../../shared/attendance/leave/rules/figures.ts';
import { allocate, holdsOn, sumOf } from '../../../../shared/attendance/leave/rules/uses.ts';
import { day, grantHistories, onPaper, shuffledTakings } from './random-histories.ts';

const hoursADay = fc.integer({ min: 1, max: 12 });

describe('the use of random grants by random requests', () => {
  it('is what slips of paper say', () => {
    fc.assert(
      fc.property(grantHistories, shuffledTakings, hoursADay, (grants, takings, hours_per_day) => {
        const { uses, unfit } = allocate(grants, takings, hours_per_day);
        const paper = onPaper(grants, takings, hours_per_day);
        assert.deepEqual(new Set(unfit), paper.unfit);
        for (const grant of grants) {
          const { remaining_days, remaining_hours } = figuresOf(grant, uses, () => true, {
            as_of: grant.granted_on,
            hours_per_day,
          });
          assert.deepEqual({ halves: remaining_days * 2, hours: remaining_hours }, paper.left.get(grant.id));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('gives each request all that it takes, or nothing, and on days on which the grant holds', () => {
    fc.assert(
      fc.property(grantHistories, shuffledTakings, hoursADay, (grants, takings, hours_per_day) => {
        const { uses, unfit } = allocate(grants, takings, hours_per_day);
        for (const { id, days } of takings) {
          const own = uses.filter(({ request_id }) => request_id === id);
          assert.deepEqual(sumOf(own), unfit.includes(id) ? { halves: 0, hours: 0 } : sumOf(days));
        }
        for (const { grant_id, date } of uses) {
          assert.ok(holdsOn(grants.find(({ id }) => id === grant_id)!, date));
        }
      }),
    );
  });

  it('adds up: used, reserved, remaining and lapsed are the days of the grant, at any day', () => {
    fc.assert(
      fc.property(grantHistories, shuffledTakings, hoursADay, fc.nat(1_700), (grants, takings, hours, at) => {
        const { uses } = allocate(grants, takings, hours);
        const as_of = day(at);
        for (const grant of grants) {
          const one = figuresOf(grant, uses, ({ date }) => date <= as_of, { as_of, hours_per_day: hours });
          const whole = one.used_days + one.reserved_days + one.remaining_days + one.lapsed_days;
          const opened = Math.ceil((one.used_hours + one.reserved_hours) / hours);
          // All opened days are whole ones but for a last half.
          assert.ok(
            [opened, opened - 0.5].includes(grant.days - whole),
            `${grant.days} - ${whole} - ${opened}`,
          );
        }
      }),
    );
  });

  it('does not take from what was kept', () => {
    fc.assert(
      fc.property(
        grantHistories,
        shuffledTakings,
        hoursADay,
        fc.nat(1_100),
        (grants, takings, hours, until) => {
          const before = allocate(grants, takings, hours);
          const confirmed = takings.map((taking) => ({
            ...taking,
            days: taking.days.map((one) => {
              if (one.date > day(until)) return one;
              const kept = before.uses
                .filter(({ request_id, date }) => request_id === taking.id && date === one.date)
                .map(({ grant_id, halves, hours }) => ({ grant_id, halves, hours }));
              return { ...one, kept };
            }),
          }));
          const after = allocate(grants, confirmed, hours);
          const sorted = (uses: typeof before.uses) => uses.map((use) => JSON.stringify(use)).sort();
          const fits = (id: string) => !before.unfit.includes(id);
          // A request that did not fit has nothing to keep, so it is left out of the comparison.
          assert.deepEqual(
            sorted(after.uses.filter(({ request_id }) => fits(request_id))),
            sorted(before.uses),
          );
        },
      ),
    );
  });
});
