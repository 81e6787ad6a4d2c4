import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { finishOf } from '../../../../shared/mail/campaigns/finish.ts';
import { type MailThrottle, UNTHROTTLED } from '../../../../shared/mail/throttle.ts';

const BEGIN = '2026-11-27T01:00:00.000Z';

function seconds(
  queued: number,
  throttle: Partial<MailThrottle>,
  more: { rate?: number; minute?: number } = {},
) {
  const finish = finishOf(BEGIN, queued, {
    throttles: [{ ...UNTHROTTLED, ...throttle }, UNTHROTTLED],
    most_per_second: more.rate ?? null,
    sent_in_last_minute: more.minute ?? 0,
  });
  return finish === null ? null : (Date.parse(finish) - Date.parse(BEGIN)) / 1_000;
}

describe('when a campaign will have ended', () => {
  test('follows from the least of the limits', () => {
    assert.equal(seconds(100_000, { per_second: 50, per_hour: 20_000 }), 18_000);
    assert.equal(seconds(100_000, { per_second: 50 }), 2_000);
    assert.equal(seconds(100_000, { per_second: 50, per_day: 100_000 }), 86_400);
    assert.equal(seconds(100, {}, { rate: 10 }), 10);
    assert.equal(seconds(100, { per_second: 5 }, { rate: 10 }), 20);
  });

  test('follows from the mails of the last minute where they are slower', () => {
    assert.equal(seconds(1_000, { per_second: 50 }, { minute: 600 }), 100);
    assert.equal(seconds(1_000, { per_second: 5 }, { minute: 600 }), 200);
    assert.equal(seconds(1_000, {}, { minute: 600 }), 100);
  });

  test('is rounded up to a second', () => {
    assert.equal(seconds(1, { per_second: 3 }), 1);
    assert.equal(seconds(4, { per_second: 3 }), 2);
    assert.equal(seconds(0, { per_second: 3 }), 0);
    const pace = {
      throttles: [{ ...UNTHROTTLED, per_second: 1 }],
      most_per_second: null,
      sent_in_last_minute: 0,
    };
    assert.equal(finishOf('2026-11-27T01:00:00.001Z', 1, pace), '2026-11-27T01:00:02.000Z');
  });

  test('is not known without a limit and without a mail', () => assert.equal(seconds(1_000, {}), null));

  test('is no earlier than any limit lets it be, and less than a second later', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 10_000_000 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        limit,
        limit,
        limit,
        (queued, per_second, per_hour, per_day) => {
          const found = seconds(queued, { per_second, per_hour, per_day });
          const exact = [
            [per_second, 1],
            [per_hour, 3_600],
            [per_day, 86_400],
          ].flatMap(([most, period]) => (most === null ? [] : [(queued * period!) / most!]));
          if (exact.length === 0) assert.equal(found, null);
          else assert.equal(found, Math.ceil(Math.max(...exact)));
        },
      ),
    );
  });
});
