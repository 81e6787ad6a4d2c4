import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type LimitReason,
  type Limits,
  limitReached,
  type Outcome,
} from '../../../../shared/mail/campaigns/auto-pause.ts';

const LIMITS: Limits = { bounce_percent: '5.00', complaint_percent: '0.30' };
const OFF: Limits = { bounce_percent: null, complaint_percent: null };

type Case = [outcome: Partial<Outcome>, expected: LimitReason | null, more?: Partial<Limits>];

const cases: readonly Case[] = [
  // Of fewer than 200 nothing is said.
  [{ sent: 199, bounced: 199 }, null],
  [{ sent: 200, bounced: 9 }, null],
  [{ sent: 200, bounced: 10 }, 'bounce_rate'],
  // Those that have failed count among the whole.
  [{ sent: 150, failed: 50, bounced: 10 }, 'bounce_rate'],
  [{ sent: 0, failed: 199, bounced: 199 }, null],
  [{ sent: 0, failed: 200, bounced: 200 }, 'bounce_rate'],
  // 5.00 % is reached by it, not by what is rounded to it: 4.9975 % is less.
  [{ sent: 4_002, bounced: 200 }, null],
  [{ sent: 4_000, bounced: 200 }, 'bounce_rate'],
  [{ sent: 1_000, bounced: 49, complaints: 2 }, null],
  // Of fewer than 1,000 that were sent complaints are not judged, however many have failed.
  [{ sent: 999, failed: 5_000, complaints: 999 }, null],
  [{ sent: 1_000, complaints: 2 }, null],
  [{ sent: 1_000, complaints: 3 }, 'complaint_rate'],
  [{ sent: 1_001, complaints: 3 }, null],
  [{ sent: 1_000, failed: 1_000, complaints: 3 }, 'complaint_rate'],
  // Bounces come first.
  [{ sent: 1_000, bounced: 50, complaints: 3 }, 'bounce_rate'],
  [{ sent: 2_000_000_000, bounced: 100_000_000 }, 'bounce_rate'],
  [{ sent: 2_000_000_000, bounced: 99_999_999 }, null],
  [{ sent: 1_000, bounced: 1_000, complaints: 1_000 }, 'complaint_rate', { bounce_percent: null }],
  [{ sent: 1_000, bounced: 1_000, complaints: 1_000 }, null, OFF],
  [{ sent: 10_000, bounced: 1 }, 'bounce_rate', { bounce_percent: '0.01' }],
  [{ sent: 10_001, bounced: 1 }, null, { bounce_percent: '0.01' }],
  [{ sent: 200, bounced: 199 }, null, { bounce_percent: '100.00' }],
  [{ sent: 200, bounced: 200 }, 'bounce_rate', { bounce_percent: '100.00' }],
];

const outcomeOf = (known: Partial<Outcome>): Outcome => ({
  sent: 0,
  failed: 0,
  bounced: 0,
  complaints: 0,
  ...known,
});

describe('the limit that a campaign has reached', () => {
  for (const [outcome, expected, more] of cases) {
    test(`${JSON.stringify(outcome)} ${JSON.stringify(more ?? {})}: ${expected}`, () => {
      assert.equal(limitReached(outcomeOf(outcome), { ...LIMITS, ...more }, []), expected);
    });
  }

  test('one that is ignored pauses no more, the other one does', () => {
    const outcome = outcomeOf({ sent: 1_000, bounced: 500, complaints: 500 });
    assert.equal(limitReached(outcome, LIMITS, ['bounce_rate']), 'complaint_rate');
    assert.equal(limitReached(outcome, LIMITS, ['complaint_rate']), 'bounce_rate');
    assert.equal(limitReached(outcome, LIMITS, ['complaint_rate', 'bounce_rate']), null);
  });

  test('is exact for every count and every percentage of two decimals', () => {
    const count = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.integer({ min: 1, max: 10_000 }),
        (sent, failed, part, hundredths) => {
          const bounce_percent = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
          const whole = BigInt(sent) + BigInt(failed);
          const expected = whole >= 200n && BigInt(part) * 10_000n >= BigInt(hundredths) * whole;
          const found = limitReached(
            { sent, failed, bounced: part, complaints: 0 },
            { bounce_percent, complaint_percent: null },
            [],
          );
          assert.equal(found === 'bounce_rate', expected);
        },
      ),
    );
  });
});
