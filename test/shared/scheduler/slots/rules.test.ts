import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Host } from '../../../../shared/scheduler/slots/types.ts';
import {
  clockStarts,
  EVERY_DAY,
  hostFrom,
  instantStarts,
  questionOf,
  reasonOf,
  spanOf,
} from '../../../support/slot-questions.ts';

const DAY = '2027-02-01';
/** Every start of the day that a rule leaves, where only that matters. */
const HOURLY = { duration_minutes: 60 };

describe('windows', () => {
  const starts = (host: Partial<Host>, date = DAY, holidays: string[] = []) =>
    clockStarts(
      questionOf({ event_type: HOURLY, holidays, hosts: [{ ...hostFrom('10:00', '12:00'), ...host }] }),
      date,
    );

  test('of an override replace those of the weekday, and an empty list closes', () => {
    const intervals = [{ start: '14:00', end: '16:00' }];
    assert.deepEqual(starts({ overrides: [{ date: DAY, intervals }] }), ['14:00', '15:00']);
    assert.deepEqual(starts({ overrides: [{ date: DAY, intervals: [] }] }), []);
  });

  test('are closed on holidays where so wished, unless the date has an override', () => {
    const intervals = [{ start: '14:00', end: '15:00' }];
    assert.deepEqual(starts({}, DAY, [DAY]), ['10:00', '11:00']);
    assert.deepEqual(starts({ closed_on_holidays: true }, DAY, [DAY]), []);
    assert.deepEqual(starts({ closed_on_holidays: true }, '2027-02-02', [DAY]), ['10:00', '11:00']);
    const overrides = [{ date: DAY, intervals }];
    assert.deepEqual(starts({ closed_on_holidays: true, overrides }, DAY, [DAY]), ['14:00']);
  });

  test('belong to the date on which they start: a closed next date does not cut them', () => {
    const weekly = [{ days: ['sunday' as const], start: '22:00', end: '02:00' }];
    const closed = [{ date: DAY, intervals: [] }];
    assert.deepEqual(starts({ weekly }), ['00:00', '01:00']);
    assert.deepEqual(starts({ weekly, overrides: closed }), ['00:00', '01:00']);
    assert.deepEqual(starts({ weekly, overrides: [{ date: '2027-01-31', intervals: [] }] }), []);
  });

  test('that touch become one, at midnight too, those a minute apart do not', () => {
    const nights = (end: string) => {
      const weekly = [
        { days: EVERY_DAY, start: '22:30', end },
        { days: EVERY_DAY, start: '00:00', end: '01:30' },
      ];
      return questionOf({
        event_type: { duration_minutes: 120 },
        hosts: [hostFrom('00:00', '24:00', { weekly })],
      });
    };
    assert.deepEqual(clockStarts(nights('24:00'), DAY), ['23:00']);
    assert.equal(reasonOf(nights('24:00'), '2027-02-01T14:00Z'), 'bookable');
    assert.equal(reasonOf(nights('23:59'), '2027-02-01T14:00Z'), 'outside_hours');
  });

  test('that end on a date which is skipped end later by a day', () => {
    const question = questionOf({
      now: '2011-12-01T00:00Z',
      event_type: { time_zone: 'Pacific/Apia', duration_minutes: 120 },
      hosts: [
        hostFrom('00:00', '24:00', {
          time_zone: 'Pacific/Apia',
          weekly: [{ days: ['thursday'], start: '20:00', end: '06:00' }],
        }),
      ],
    });
    assert.deepEqual(clockStarts(question, '2011-12-31'), ['00:00', '02:00', '04:00']);
    assert.deepEqual(clockStarts(question, '2011-12-29'), ['20:00', '22:00']);
  });

  test('that begin in an hour which is skipped begin later, those that then end before it are empty', () => {
    const ofParis = (start: string, end: string) =>
      questionOf({
        now: '2027-03-01T00:00Z',
        event_type: { time_zone: 'Europe/Paris' },
        hosts: [hostFrom(start, end, { time_zone: 'Europe/Paris' })],
      });
    assert.deepEqual(clockStarts(ofParis('02:30', '04:30'), '2027-03-28'), ['03:30', '04:00']);
    assert.deepEqual(clockStarts(ofParis('02:30', '03:30'), '2027-03-28'), []);
    assert.deepEqual(clockStarts(ofParis('01:30', '02:30'), '2027-03-28'), ['01:30', '03:00']);
  });

  test('follow the clock of their member, dates that of the grid', () => {
    const question = questionOf({
      event_type: HOURLY,
      hosts: [hostFrom('09:00', '11:00', { time_zone: 'America/New_York' })],
    });
    assert.deepEqual(clockStarts(question, DAY), ['00:00', '23:00']);
  });
});

describe('a start is aligned', () => {
  test('by the clock of the grid, whose hours need not be those of its members', () => {
    const question = questionOf({
      event_type: { time_zone: 'Asia/Kathmandu', ...HOURLY },
      hosts: [hostFrom('10:00', '13:00')],
    });
    assert.deepEqual(instantStarts(question, '2027-02-01T00:00Z', '2027-02-02T00:00Z'), [
      '2027-02-01T01:15Z',
      '2027-02-01T02:15Z',
    ]);
  });

  test('anew after a clock change of half an hour', () => {
    const question = questionOf({
      now: '2027-04-01T00:00Z',
      event_type: { time_zone: 'Australia/Lord_Howe', ...HOURLY },
      hosts: [hostFrom('00:00', '04:00', { time_zone: 'Australia/Lord_Howe' })],
    });
    assert.deepEqual(clockStarts(question, '2027-04-04'), ['00:00', '01:00', '02:00', '03:00']);
    assert.deepEqual(instantStarts(question, '2027-04-03T13:00Z', '2027-04-03T16:00Z'), [
      '2027-04-03T13:00Z',
      '2027-04-03T14:00Z',
      '2027-04-03T15:30Z',
    ]);
  });

  for (const [interval, step] of [
    [120, 60],
    [90, 30],
    [40, 20],
    [45, 15],
    [50, 10],
    [25, 5],
    [7, 1],
  ] as const) {
    test(`to ${step} minutes where starts are ${interval} apart`, () => {
      const question = questionOf({ event_type: { slot_interval_minutes: interval, duration_minutes: 10 } });
      const reasons = [step, step - 1].map((minutes) =>
        reasonOf(question, new Date(Date.parse('2027-02-01T01:00Z') + minutes * 60_000).toISOString()),
      );
      assert.deepEqual(reasons, ['bookable', step === 1 ? 'bookable' : 'not_aligned']);
    });
  }

  test('to whole minutes in any case', () => {
    const question = questionOf({ event_type: { slot_interval_minutes: 7 } });
    assert.equal(reasonOf(question, '2027-02-01T01:00:30Z'), 'not_aligned');
  });

  test('on the grid or not: what is aligned and free is bookable', () => {
    const question = questionOf({ event_type: { duration_minutes: 40 } });
    assert.equal(reasonOf(question, '2027-02-01T01:20Z'), 'bookable');
  });
});

describe('bounds', () => {
  const NOON = '2027-02-05T03:00:00Z';
  const onDays = (booking_window: Parameters<typeof questionOf>[0]['event_type'] & object) =>
    ['05', '06', '08', '09', '10', '12'].filter(
      (day) =>
        reasonOf(
          questionOf({
            now: NOON,
            holidays: ['2027-02-09'],
            hosts: [hostFrom('00:00', '24:00')],
            event_type: booking_window,
          }),
          `2027-02-${day}T05:00Z`,
        ) === 'bookable',
    );

  test('of rolling days count dates of the grid, today with 0', () => {
    assert.deepEqual(onDays({ booking_window: { type: 'rolling_days', days: 0 } }), ['05']);
    assert.deepEqual(onDays({ booking_window: { type: 'rolling_days', days: 3 } }), ['05', '06', '08']);
  });

  test('of business days pass over weekends and holidays, which are within', () => {
    assert.deepEqual(onDays({ booking_window: { type: 'business_days', days: 0 } }), ['05']);
    assert.deepEqual(onDays({ booking_window: { type: 'business_days', days: 1 } }), ['05', '06', '08']);
    const two = onDays({ booking_window: { type: 'business_days', days: 2 } });
    assert.deepEqual(two, ['05', '06', '08', '09', '10']);
  });

  test('of a range are both dates', () => {
    const booking_window = { type: 'range' as const, from: '2027-02-06', to: '2027-02-09' };
    assert.deepEqual(onDays({ booking_window }), ['06', '08', '09']);
  });

  test('lie at 730 days at the latest', () => {
    for (const booking_window of [
      { type: 'none' as const },
      { type: 'range' as const, from: '2027-01-01', to: '2040-01-01' },
      { type: 'business_days' as const, days: 730 },
    ]) {
      const question = questionOf({ now: NOON, event_type: { booking_window } });
      assert.equal(reasonOf(question, '2029-02-04T01:00Z'), 'bookable');
      assert.equal(reasonOf(question, '2029-02-05T01:00Z'), 'beyond_window');
    }
  });

  test('of the notice are elapsed time; the present minute is not past before its end', () => {
    const question = questionOf({
      now: NOON,
      hosts: [hostFrom('00:00', '24:00')],
      event_type: { min_notice_minutes: 30, slot_interval_minutes: 10 },
    });
    assert.equal(reasonOf(question, '2027-02-05T02:50Z'), 'past');
    assert.equal(reasonOf(question, '2027-02-05T03:00Z'), 'too_soon');
    assert.equal(reasonOf(question, '2027-02-05T03:20Z'), 'too_soon');
    assert.equal(reasonOf(question, '2027-02-05T03:30Z'), 'bookable');
  });

  test('are rounded up to a whole minute: what has begun is not offered', () => {
    const question = questionOf({ now: '2027-02-01T01:30:01Z', event_type: { slot_interval_minutes: 10 } });
    assert.equal(clockStarts(question, DAY)[0], '10:40');
    const noticed = questionOf({ now: '2027-02-01T01:00:01Z', event_type: { min_notice_minutes: 30 } });
    assert.equal(reasonOf(noticed, '2027-02-01T01:30Z'), 'too_soon');
  });

  test('of what is asked for are exact to the second, at midnight too', () => {
    const question = questionOf({ hosts: [hostFrom('00:00', '24:00')] });
    const until = (to: string) => instantStarts(question, '2027-02-01T14:30:01Z', to);
    assert.deepEqual(until('2027-02-01T15:00:00Z'), []);
    assert.deepEqual(until('2027-02-01T15:00:01Z'), ['2027-02-01T15:00Z']);
  });
});

describe('limits', () => {
  const limited = (limits: object, counted: { start: number; end: number }[], changes: object = {}) =>
    questionOf({
      counted,
      ...changes,
      event_type: {
        limits: { per_day: null, per_week: null, per_month: null, minutes_per_day: null, ...limits },
      },
    });
  const bookable = (question: ReturnType<typeof questionOf>, days: string[]) =>
    days.filter((day) => reasonOf(question, `2027-02-${day}T02:00Z`) === 'bookable');

  test('of a day count starts by the date of the grid', () => {
    const question = limited({ per_day: 1 }, [spanOf('2027-02-01T15:30Z', 30)]);
    assert.deepEqual(bookable(question, ['01', '02', '03']), ['01', '03']);
    assert.equal(reasonOf(question, '2027-02-02T02:00Z'), 'limit_reached');
  });

  test('of a week begin as the organization says', () => {
    const counted = [spanOf('2027-02-07T02:00Z', 30)];
    assert.deepEqual(bookable(limited({ per_week: 1 }, counted), ['06', '07', '08']), ['06']);
    const monday = limited({ per_week: 1 }, counted, { week_starts_on: 'monday' });
    assert.deepEqual(bookable(monday, ['06', '07', '08']), ['08']);
  });

  test('of a month end with it', () => {
    const question = limited({ per_month: 2 }, [
      spanOf('2027-02-01T02:00Z', 30),
      spanOf('2027-02-20T02:00Z', 30),
    ]);
    assert.deepEqual(bookable(question, ['03', '28']), []);
    assert.equal(reasonOf(question, '2027-03-01T02:00Z'), 'bookable');
  });

  test('of minutes may be reached, but not exceeded', () => {
    const counted = [spanOf('2027-02-01T01:00Z', 30)];
    assert.deepEqual(bookable(limited({ minutes_per_day: 60 }, counted), ['01']), ['01']);
    assert.deepEqual(bookable(limited({ minutes_per_day: 59 }, counted), ['01']), []);
  });
});
