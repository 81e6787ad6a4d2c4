import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  countedOver,
  type LimitPeriod,
  type Reached,
  reachOf,
} from '../../../../shared/scheduler/questions/reach.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2027-03-01T00:00:00Z');

const asked: Reached = {
  from: NOW - 16 * HOUR,
  to: NOW + 31 * DAY,
  now: NOW,
  earliest: NOW + 2 * HOUR,
  buffer_before: HOUR,
  in_business_days: false,
  counted_over: null,
};

describe('how far records matter', () => {
  test('no further back than what may reach into the first start', () => {
    const { bookings_from, blocks_from, counted } = reachOf(asked);
    assert.equal(bookings_from, asked.earliest - 2 * DAY);
    assert.equal(blocks_from, asked.earliest - HOUR);
    assert.equal(counted, null);
  });

  test('to the first minute of a later range, in whatever zone its dates are', () => {
    const from = NOW + 10 * DAY;
    const { bookings_from, blocks_from } = reachOf({ ...asked, from });
    assert.ok(blocks_from <= from - 25 * HOUR && blocks_from >= from - 28 * HOUR);
    assert.equal(bookings_from, blocks_from + HOUR - 2 * DAY);
  });

  test('limits count over the longest period that they have', () => {
    const none = { per_day: null, per_week: null, per_month: null, minutes_per_day: null };
    assert.equal(countedOver(none), null);
    assert.equal(countedOver({ ...none, minutes_per_day: 60 }), 'day');
    assert.equal(countedOver({ ...none, per_day: 1, per_week: 3 }), 'week');
    assert.equal(countedOver({ ...none, per_week: 3, per_month: 9 }), 'month');
  });

  test('the day, week and month of each start lie within what is counted', () => {
    const zones = [
      'Asia/Tokyo',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Europe/Paris',
      'Australia/Lord_Howe',
    ];
    const random = fc.record({
      zone: fc.constantFrom(...zones),
      period: fc.constantFrom<LimitPeriod>('day', 'week', 'month'),
      from: fc.integer({ min: 0, max: 400 * 24 * 60 }),
      week_start: fc.constantFrom(1, 7),
    });
    fc.assert(
      fc.property(random, ({ zone, period, from: minutes, week_start }) => {
        const from = NOW + minutes * 60_000;
        const { counted } = reachOf({ ...asked, from, to: from + 60_000, counted_over: period });
        const [first, end] = bounds(from, zone, period, week_start);
        assert.ok(counted!.from <= first, `${zone} ${period} begins earlier`);
        assert.ok(counted!.until >= end, `${zone} ${period} ends later`);
      }),
      { seed: 74 },
    );
  });
});

/** The first instant of the period of an instant, and that of the next one. */
function bounds(instant: number, zone: string, period: LimitPeriod, week_start: number): [number, number] {
  const date = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
  const since = { day: 0, week: (date.dayOfWeek - week_start + 7) % 7, month: date.day - 1 }[period];
  const first = date.subtract({ days: since });
  const next = first.add({ day: { days: 1 }, week: { days: 7 }, month: { months: 1 } }[period]);
  const at = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  return [at(first), at(next)];
}
