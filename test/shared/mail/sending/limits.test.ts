import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { expectedFinish, timeOfLately } from '../../../../shared/mail/sending/expected-finish.ts';
import {
  granted,
  type Quota,
  SECOND,
  type Span,
  spansOf,
  type WindowName,
  windows,
} from '../../../../shared/mail/sending/limits.ts';
import { type MailThrottle, UNTHROTTLED } from '../../../../shared/mail/throttle.ts';

const START = Date.parse('2026-11-27T00:00:00Z') * 1_000;

const NOBODY_WAITS = { latest_attempt_at: null, is_waiting: false, is_unreachable: false };

/** Campaigns of one sender that share what they may, as rows would keep it. */
function sender(throttle: Partial<MailThrottle>) {
  const { per_second, per_hour, per_day } = { ...UNTHROTTLED, ...throttle };
  const limits: [WindowName, number | null][] = [
    ['hour', per_hour],
    ['day', per_day],
  ];
  const ledgers = limits.flatMap(([window, limit]) =>
    limit === null ? [] : [{ window, limit, spans: [] as Span[], used: 0 }],
  );
  let next_at = 0;
  return (now: number, most: number) => {
    for (const ledger of ledgers) {
      while (ledger.spans.length > 0 && ledger.spans[0]!.until <= now - windows[ledger.window]) {
        ledger.used -= ledger.spans.shift()!.count;
      }
    }
    const quotas: Quota[] = ledgers.map(({ window, limit, used, spans: [first] }) => {
      return { limit, used, free_at: first ? first.until + windows[window] : null };
    });
    const paces = per_second === null ? [] : [{ per_second, next_at }];
    const grant = granted({ paces, quotas }, { now, until: now + 2 * SECOND, most });
    next_at = grant.paces[0] ?? next_at;
    for (const ledger of ledgers) {
      ledger.spans.push(...spansOf(ledger.window, grant.begins));
      ledger.used += grant.begins.length;
    }
    return grant;
  };
}

/** Sends so many mails, none of which takes any time; answers when each begins. */
function sent(throttle: Partial<MailThrottle>, count: number, most: number): number[] {
  const ask = sender(throttle);
  const begins: number[] = [];
  let now = START;
  while (begins.length < count) {
    const grant = ask(now, Math.min(most, count - begins.length));
    for (const begin of grant.begins) begins.push(begin);
    now = grant.begins.at(-1) ?? grant.free_at!;
  }
  return begins;
}

/** The most that any window holds which is open at its beginning. */
function mostWithin(begins: readonly number[], window: number): number {
  let first = 0;
  let most = 0;
  for (const [index, begin] of begins.entries()) {
    while (begins[first]! <= begin - window) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe('the limits of sending', () => {
  test('100,000 mails at 50 a second and 20,000 an hour are foretold to take 18,000 s and take 14,800', () => {
    const throttle = { per_second: 50, per_hour: 20_000 };
    const finish = expectedFinish({
      from: '2026-11-27T00:00:00.000Z',
      queued: 100_000,
      throttles: [{ ...UNTHROTTLED, ...throttle }],
      lately: null,
      ...NOBODY_WAITS,
    });
    assert.equal(finish, '2026-11-27T05:00:00.000Z');
    const begins = sent(throttle, 100_000, 20);
    const seconds = (begins.at(-1)! - START) / SECOND;
    assert.equal(Math.round(seconds), 14_800);
    assert.ok(mostWithin(begins, windows.hour) <= 20_000);
    assert.ok(mostWithin(begins, SECOND) <= 50);
  });

  test('no window of a second, an hour or a day holds more than its limit, whatever the limits are', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 60 }));
    const throttles = fc.record({ per_second: limit, per_hour: limit, per_day: limit });
    fc.assert(
      fc.property(throttles, fc.integer({ min: 1, max: 20 }), (throttle, most) => {
        const begins = sent(throttle, 200, most);
        const { per_second, per_hour, per_day } = throttle;
        if (per_second !== null) assert.ok(mostWithin(begins, SECOND) <= per_second);
        if (per_hour !== null) assert.ok(mostWithin(begins, windows.hour) <= per_hour);
        if (per_day !== null) assert.ok(mostWithin(begins, windows.day) <= per_day);
        assert.deepEqual(
          begins,
          begins.toSorted((left, right) => left - right),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('a rate spaces mails evenly, and what was not taken is not made up for', () => {
    const ask = sender({ per_second: 3 });
    assert.deepEqual(ask(START, 3).begins, [START, START + 333_334, START + 666_668]);
    const later = START + 5 * SECOND;
    assert.deepEqual(ask(later, 2).begins, [later, later + 333_334]);
  });

  test('none is promised that begins later than two seconds from now', () => {
    assert.equal(sender({ per_second: 1 })(START, 20).begins.length, 3);
    const ask = sender({ per_second: 1 });
    ask(START, 3);
    assert.deepEqual(ask(START, 20), {
      begins: [],
      paces: [START + 3 * SECOND],
      free_at: START + 3 * SECOND,
    });
  });

  test('a quota is spent at full speed, and free again when its mails are an hour old', () => {
    const ask = sender({ per_hour: 5 });
    assert.equal(ask(START, 20).begins.length, 5);
    assert.deepEqual(ask(START + SECOND, 20), { begins: [], paces: [], free_at: START + windows.hour });
    assert.equal(ask(START + windows.hour, 20).begins.length, 5);
  });
});

describe('when a campaign is expected to end', () => {
  const from = '2026-11-27T00:00:00.250Z';
  const queued = 100;
  const at = (throttle: Partial<MailThrottle>, last_minute: number | null, more: MailThrottle[] = []) =>
    expectedFinish({
      from,
      queued,
      throttles: [{ ...UNTHROTTLED, ...throttle }, ...more],
      lately: last_minute === null ? null : { mails: last_minute, milliseconds: 60_000 },
      ...NOBODY_WAITS,
    });

  test('it goes by the least of the limits and the speed of the last minute, rounded up', () => {
    assert.equal(at({}, null), null);
    assert.equal(at({}, 0), null);
    assert.equal(at({ per_second: 3 }, null), '2026-11-27T00:00:34.000Z');
    assert.equal(at({ per_second: 3 }, 0), '2026-11-27T00:00:34.000Z');
    assert.equal(at({ per_second: 3 }, 60), '2026-11-27T00:01:41.000Z');
    assert.equal(at({ per_second: 3 }, 6_000), '2026-11-27T00:00:34.000Z');
    assert.equal(at({}, 60), '2026-11-27T00:01:41.000Z');
    assert.equal(at({ per_second: 50, per_hour: 7_200, per_day: 86_400 }, null), '2026-11-27T00:01:41.000Z');
    assert.equal(
      at({ per_second: 50 }, null, [{ ...UNTHROTTLED, per_second: 10 }]),
      '2026-11-27T00:00:11.000Z',
    );
  });

  test('a minute that is not over yet counts as long as it is, one that begins as a second', () => {
    for (const [since, milliseconds] of [
      [null, 60_000],
      ['2026-11-26T00:00:00.000Z', 60_000],
      ['2026-11-26T23:59:00.250Z', 60_000],
      ['2026-11-26T23:59:00.251Z', 59_999],
      ['2026-11-26T23:59:56.250Z', 4_000],
      ['2026-11-26T23:59:59.900Z', 1_000],
      ['2026-11-27T00:00:09.000Z', 1_000],
    ] as const) {
      assert.equal(timeOfLately(since, from), milliseconds, String(since));
    }
  });

  for (const [words, changes, finish] of [
    ['by the time that passed', { lately: { mails: 40, milliseconds: 4_000 } }, '2026-11-27T00:00:11.000Z'],
    ['nothing while the server is away', { is_unreachable: true }, null],
    [
      'nothing while the server is away, whatever limits there are',
      { is_unreachable: true, throttles: [{ ...UNTHROTTLED, per_second: 3 }] },
      null,
    ],
    [
      'not before the last one is tried again',
      { latest_attempt_at: '2026-11-27T06:00:00.100Z' },
      '2026-11-27T06:00:01.000Z',
    ],
    [
      'later than that where the others take longer',
      { latest_attempt_at: '2026-11-27T00:00:30.000Z' },
      '2026-11-27T00:01:41.000Z',
    ],
    [
      'at the last attempt where nobody else is queued and none left in the minute',
      {
        lately: { mails: 0, milliseconds: 60_000 },
        latest_attempt_at: '2026-11-27T00:05:00.000Z',
        is_waiting: true,
      },
      '2026-11-27T00:05:00.000Z',
    ],
    [
      'nothing where others are queued, none of whom got a mail in the minute',
      { lately: { mails: 0, milliseconds: 60_000 }, latest_attempt_at: '2026-11-27T00:05:00.000Z' },
      null,
    ],
  ] as const) {
    test(`foretold is ${words}`, () => {
      const lately = { mails: 60, milliseconds: 60_000 };
      const sending = { from, queued, throttles: [UNTHROTTLED], lately, ...NOBODY_WAITS };
      assert.equal(expectedFinish({ ...sending, ...changes }), finish);
    });
  }
});
