import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dayPaid } from '../../../shared/invoicing/payments/day.ts';
import { dayOf, startOfDay } from '../../../shared/kernel/days.ts';

/** Zones on both sides of the date line, with odd offsets, and with clocks that change at midnight. */
const zones = [
  'Asia/Tokyo',
  'UTC',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Africa/Cairo',
];

const day = fc
  .integer({ min: 0, max: 36_500 })
  .map((days) => Temporal.PlainDate.from('2000-01-01').add({ days }).toString());

describe('the day of a payment', () => {
  test('is that of its beginning and of its last millisecond, in every zone', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...zones), (paid_on, time_zone) => {
        const begin = startOfDay(paid_on, time_zone);
        const next = startOfDay(Temporal.PlainDate.from(paid_on).add({ days: 1 }).toString(), time_zone);
        const said = { time_zone, today: paid_on };
        assert.equal(dayPaid({ paid_at: begin }, said), paid_on);
        const last = new Date(Date.parse(next) - 1);
        assert.equal(dayPaid({ paid_at: last.toISOString() }, said), paid_on);
        assert.notEqual(dayOf(new Date(next), time_zone), paid_on);
        assert.equal(dayPaid({ paid_on, paid_at: begin }, said), paid_on);
      }),
    );
  });

  test('lies 31 days ahead at most, unless a later one is allowed', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -400, max: 400 }), (today, ahead) => {
        const paid_on = Temporal.PlainDate.from(today).add({ days: ahead }).toString();
        const said = { time_zone: 'Asia/Tokyo', today };
        assert.equal(dayPaid({ paid_on, allow_future: true }, said), paid_on);
        if (ahead <= 31) assert.equal(dayPaid({ paid_on }, said), paid_on);
        else assert.throws(() => dayPaid({ paid_on }, said), { code: 'future_date' });
      }),
    );
  });
});
