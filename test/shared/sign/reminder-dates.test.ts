import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { expiryAfter, nextReminder, warningBefore } from '../../../shared/sign/reminders/dates.ts';
import { defaultReminders } from '../../../shared/sign/settings/reminders.ts';

/** Every reminder of somebody who never signs, each sent when it was due. */
function reminders(
  notified_at: string,
  { time_zone = 'Asia/Tokyo', expires_at = null as string | null, rules = defaultReminders } = {},
  holidays: readonly string[] = [],
): string[] {
  const sent: string[] = [];
  for (;;) {
    const reminded_at = sent.at(-1) ?? null;
    const next = nextReminder(
      { rules, notified_at, reminded_at, reminders_sent: sent.length, time_zone, expires_at },
      (date) => holidays.includes(date),
    );
    if (next === null) return sent;
    sent.push(next);
  }
}

const inTokyo = (instants: readonly string[]) =>
  instants.map((instant) =>
    Temporal.Instant.from(instant)
      .toZonedDateTimeISO('Asia/Tokyo')
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' }),
  );

describe('reminders', () => {
  test('skip a Sunday', () => {
    assert.deepEqual(inTokyo(reminders('2026-12-01T01:23:45.000Z')), [
      '2026-12-04T09:00',
      '2026-12-07T09:00',
      '2026-12-10T09:00',
      '2026-12-14T09:00',
      '2026-12-17T09:00',
    ]);
  });

  test('skip a holiday that follows a Sunday', () => {
    assert.deepEqual(inTokyo(reminders('2027-01-07T01:00:00.000Z', {}, ['2027-01-11'])), [
      '2027-01-12T09:00',
      '2027-01-15T09:00',
      '2027-01-18T09:00',
      '2027-01-21T09:00',
      '2027-01-25T09:00',
    ]);
  });

  test('come on every day where they do not wait for working days', () => {
    const rules = { ...defaultReminders, skip_non_working: false, every_days: 1, max: 3 };
    assert.deepEqual(inTokyo(reminders('2027-01-07T01:00:00.000Z', { rules }, ['2027-01-11'])), [
      '2027-01-10T09:00',
      '2027-01-11T09:00',
      '2027-01-12T09:00',
    ]);
  });

  test('end before the expiry, at which none is sent, and with the highest number', () => {
    const expires_at = '2026-12-10T00:00:00.000Z';
    assert.equal(reminders('2026-12-01T01:23:45.000Z', { expires_at }).length, 2);
    const later = '2026-12-10T00:00:00.001Z';
    assert.equal(reminders('2026-12-01T01:23:45.000Z', { expires_at: later }).length, 3);
    assert.deepEqual(reminders('2026-12-01T01:23:45.000Z', { rules: { ...defaultReminders, max: 0 } }), []);
    const off = { ...defaultReminders, enabled: false };
    assert.deepEqual(reminders('2026-12-01T01:23:45.000Z', { rules: off }), []);
  });

  test('go on from the day of the one that was late, however late', () => {
    const next = nextReminder(
      {
        rules: defaultReminders,
        notified_at: '2026-12-01T01:23:45.000Z',
        reminded_at: '2026-12-11T05:00:00.000Z',
        reminders_sent: 1,
        time_zone: 'Asia/Tokyo',
        expires_at: null,
      },
      () => false,
    );
    assert.equal(next, '2026-12-14T00:00:00.000Z');
  });

  test('are none where a year of days has no working one', () => {
    const never = nextReminder(
      {
        rules: defaultReminders,
        notified_at: '2026-12-01T01:23:45.000Z',
        reminded_at: null,
        reminders_sent: 0,
        time_zone: 'Asia/Tokyo',
        expires_at: null,
      },
      () => true,
    );
    assert.equal(never, null);
  });

  test('come at the hour of the clock of any zone, on a working day, also where clocks change', () => {
    const zones = [
      'Asia/Tokyo',
      'America/New_York',
      'Europe/Berlin',
      'Pacific/Apia',
      'Australia/Lord_Howe',
      'UTC',
    ];
    const range = { min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true };
    fc.assert(
      fc.property(
        fc.date(range),
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 1, max: 30 }),
        (asked, time_zone, hour, days) => {
          const rules = { ...defaultReminders, hour, first_after_days: days, every_days: days };
          const all = reminders(asked.toISOString(), { time_zone, rules });
          assert.equal(all.length, rules.max);
          let before = Temporal.Instant.from(asked.toISOString()).toZonedDateTimeISO(time_zone).toPlainDate();
          for (const each of all) {
            const at = Temporal.Instant.from(each).toZonedDateTimeISO(time_zone);
            const date = at.toPlainDate();
            assert.ok(date.dayOfWeek <= 5, each);
            const wanted = before.add({ days });
            const moved = date.since(wanted, { largestUnit: 'days' }).days;
            assert.ok(moved >= 0 && moved <= 2, each);
            assert.equal(each, hourOf(date, hour, time_zone));
            before = date;
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** A time that the clock skips is as much later as it skips. */
function hourOf(date: Temporal.PlainDate, hour: number, timeZone: string): string {
  const { epochMilliseconds } = date.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) });
  return new Date(epochMilliseconds).toISOString();
}

describe('the expiry', () => {
  test('is the end of the day so many days later, in the zone of the document, and is warned of before', () => {
    const expires_at = expiryAfter(new Date('2026-12-01T01:23:45.000Z'), 90, 'Asia/Tokyo');
    assert.equal(expires_at, '2027-03-01T15:00:00.000Z');
    const next_day_there = new Date('2026-12-01T15:00:00.000Z');
    assert.equal(expiryAfter(next_day_there, 90, 'Asia/Tokyo'), '2027-03-02T15:00:00.000Z');
    assert.equal(warningBefore(expires_at, 3), '2027-02-26T15:00:00.000Z');
    assert.equal(warningBefore(expires_at, 0), null);
    assert.equal(warningBefore(null, 3), null);
  });

  test('follows the clocks of its zone', () => {
    const sent = new Date('2026-10-24T12:00:00.000Z');
    assert.equal(expiryAfter(sent, 1, 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
  });
});
