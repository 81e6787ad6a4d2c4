import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { percent } from '../../../../../shared/mail/campaigns/stats/percent.ts';
import {
  type Counted,
  countedNames,
  nothingCounted,
  statsFrom,
} from '../../../../../shared/mail/campaigns/stats/record.ts';

const whole = fc.integer({ min: 0, max: 10_000_000 });

describe('percent', () => {
  for (const [part, all, wanted] of [
    [37, 240, '15.42'],
    [1, 3, '33.33'],
    [2, 3, '66.67'],
    [1, 800, '0.13'],
    [1, 8_000, '0.01'],
    [1, 20_000, '0.01'],
    [1, 20_001, '0.00'],
    [0, 7, '0.00'],
    [7, 7, '100.00'],
    [9_999_999, 10_000_000, '100.00'],
    [9_999_499, 10_000_000, '99.99'],
    [0, 0, null],
  ] as const) {
    test(`${part} of ${all} are ${wanted}`, () => assert.equal(percent(part, all), wanted));
  }

  test('is the nearest hundredth, and the greater one of two', () => {
    fc.assert(
      fc.property(whole, whole, (part, more) => {
        const all = part + more;
        fc.pre(all > 0);
        const text = percent(part, all)!;
        assert.match(text, /^\d+\.\d{2}$/);
        // The exact value lies from half a hundredth below, itself included, up to half a hundredth above.
        const hundredths = BigInt(text.replace('.', ''));
        const off = BigInt(part) * 10_000n * 2n - hundredths * BigInt(all) * 2n;
        assert.ok(-BigInt(all) <= off && off < BigInt(all), `${part} of ${all}: ${text}`);
      }),
    );
  });
});

describe('the stats of a campaign', () => {
  const counted = fc.record(
    Object.fromEntries(countedNames.map((name) => [name, whole])) as Record<
      (typeof countedNames)[number],
      typeof whole
    >,
  );

  test('have as many recipients as all states together', () => {
    fc.assert(
      fc.property(counted, (counts: Counted) => {
        const stats = statsFrom({ ...counts, skipped_by: {}, links: [] });
        const { queued, sending, sent, failed, skipped, unknown } = stats;
        assert.equal(stats.recipients, queued + sending + sent + failed + skipped + unknown);
        assert.ok(!('sent_tracked' in stats));
      }),
    );
  });

  test('have rates of what was sent, of what was sent and is tracked, and of what was sent or failed', () => {
    const zero = Object.fromEntries(countedNames.map((name) => [name, 0])) as Counted;
    const stats = statsFrom({
      ...zero,
      sent: 800,
      failed: 200,
      queued: 5,
      tracked: 300,
      sent_tracked: 240,
      opens: 90,
      unique_opens: 37,
      clicks: 12,
      unique_clicks: 6,
      hard_bounces: 3,
      soft_bounces: 1,
      complaints: 1,
      unsubscribes: 2,
      skipped_by: {},
      links: [],
    });
    const { open_rate, click_rate, bounce_rate, complaint_rate, unsubscribe_rate } = stats;
    assert.deepEqual(
      [open_rate, click_rate, bounce_rate, complaint_rate, unsubscribe_rate],
      ['15.42', '2.50', '0.40', '0.13', '0.25'],
    );
  });

  test('are null of nothing', () => {
    const { open_rate, click_rate, bounce_rate, complaint_rate, unsubscribe_rate, recipients } =
      nothingCounted;
    assert.deepEqual(
      [recipients, open_rate, click_rate, bounce_rate, complaint_rate, unsubscribe_rate],
      [0, null, null, null, null, null],
    );
  });
});
