import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  afterChange,
  type DatedRow,
  settingsOn,
  todayBy,
  withChange,
} from '../../../../shared/attendance/settings/dated.ts';
import { type DatedChange, defaultDated } from '../../../../shared/attendance/settings/fields.ts';

const day = fc
  .integer({ min: 0, max: 40 })
  .map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));

const change: fc.Arbitrary<DatedChange> = fc.record(
  {
    closing_day: fc.constantFrom('end' as const, 10, 20),
    break_mode: fc.constantFrom('punch' as const, 'auto_schedule' as const),
    rounding: fc.record(
      {
        unit_minutes: fc.constantFrom(1 as const, 5 as const, 15 as const),
        clock_in: fc.constantFrom('none' as const, 'ceil' as const),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const rows = fc.array(fc.record({ effective_from: day, settings: change }), { maxLength: 12 });

describe('dated settings', () => {
  test('are what a walk through the changes of each field says, whatever the order of the changes', () => {
    fc.assert(
      fc.property(rows, day, (changes, date) => {
        const kept = changes.reduce<DatedRow[]>(withChange, []);
        const latest = <Value>(read: (settings: DatedChange) => Value | undefined, first: Value): Value => {
          let found = first;
          let since = '';
          for (const { effective_from, settings } of changes) {
            const value = read(settings);
            if (value !== undefined && effective_from <= date && effective_from >= since) {
              found = value;
              since = effective_from;
            }
          }
          return found;
        };
        const shown = settingsOn(kept, date);
        assert.deepEqual(
          [shown.closing_day, shown.break_mode, shown.rounding.unit_minutes, shown.rounding.clock_in],
          [
            latest((one) => one.closing_day, defaultDated.closing_day),
            latest((one) => one.break_mode, defaultDated.break_mode),
            latest((one) => one.rounding?.unit_minutes, 1),
            latest((one) => one.rounding?.clock_in, 'none'),
          ],
        );
      }),
    );
  });

  test('are rows with one date each, in the order of the dates', () => {
    fc.assert(
      fc.property(rows, (changes) => {
        const dates = changes.reduce<DatedRow[]>(withChange, []).map(({ effective_from }) => effective_from);
        assert.deepEqual(dates, [...new Set(dates)].sort());
      }),
    );
  });

  test('leave what a change does not name', () => {
    const before = afterChange(defaultDated, { rounding: { clock_in: 'ceil' } });
    assert.deepEqual(before.rounding, { ...defaultDated.rounding, clock_in: 'ceil' });
    assert.deepEqual({ ...before, rounding: defaultDated.rounding }, defaultDated);
  });
});

describe('today', () => {
  const tokyo = (effective_from: string): DatedRow => ({
    effective_from,
    settings: { time_zone: 'Asia/Tokyo' },
  });
  const newYork = (effective_from: string): DatedRow => ({
    effective_from,
    settings: { time_zone: 'America/New_York' },
  });

  for (const [rows, now, expected] of [
    [[], '2026-03-31T14:59:00Z', '2026-03-31'],
    [[], '2026-03-31T15:00:00Z', '2026-04-01'],
    [[newYork('2026-04-01')], '2026-04-01T03:59:00Z', '2026-04-01'],
    [[newYork('2026-04-01')], '2026-04-02T03:59:00Z', '2026-04-01'],
    [[newYork('2026-04-01')], '2026-04-02T04:00:00Z', '2026-04-02'],
    [[newYork('2026-01-01'), tokyo('2026-04-01')], '2026-03-31T15:00:00Z', '2026-04-01'],
    [[newYork('2026-01-01'), tokyo('2026-04-01')], '2026-03-31T14:59:00Z', '2026-03-31'],
  ] as const) {
    test(`at ${now} is ${expected} with ${rows.length} changes of the zone`, () => {
      assert.equal(todayBy(rows, new Date(now)), expected);
    });
  }
});
