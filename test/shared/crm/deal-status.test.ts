import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DealStatus,
  daysInStage,
  firstStatus,
  isStale,
  statusAfterMove,
  statusInStage,
} from '../../../shared/crm/deal-status.ts';
import type { StageType } from '../../../shared/crm/stage-types.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

const now = new Date('2026-05-01T00:00:00.000Z');
const today = now.toISOString();
const open: DealStatus = { status: 'open', closed_at: null, lost_reason: null };
const won: DealStatus = { status: 'won', closed_at: '2026-04-01T00:00:00.000Z', lost_reason: null };
const lost: DealStatus = { status: 'lost', closed_at: '2026-04-02T00:00:00.000Z', lost_reason: 'price' };

describe('a move of a deal', () => {
  const table: [string, DealStatus, StageType, string | null, DealStatus][] = [
    ['from open to open changes nothing', open, 'open', null, open],
    ['from open to won closes it', open, 'won', null, { ...won, closed_at: today }],
    [
      'from open to lost closes it with its reason',
      open,
      'lost',
      'late',
      { ...lost, closed_at: today, lost_reason: 'late' },
    ],
    ['from won to another won stage keeps the day', won, 'won', null, won],
    ['from lost to another lost stage keeps day and reason', lost, 'lost', null, lost],
    [
      'from lost to another lost stage takes a new reason',
      lost,
      'lost',
      'late',
      { ...lost, lost_reason: 'late' },
    ],
    ['from won to open reopens it', won, 'open', null, open],
    ['from lost to open clears day and reason', lost, 'open', null, open],
    ['to won forgets a reason that was sent', open, 'won', 'late', { ...won, closed_at: today }],
  ];
  for (const [name, deal, type, reason, expected] of table) {
    it(name, () => assert.deepEqual(statusAfterMove(deal, type, reason, now), expected));
  }

  it('from won to lost or back is refused, naming where it is and where it can go', () => {
    for (const [deal, type] of [
      [won, 'lost'],
      [lost, 'won'],
    ] as const) {
      assert.throws(
        () => statusAfterMove(deal, type, 'late', now),
        (error) =>
          error instanceof Failure &&
          error.code === 'invalid_transition' &&
          error.message === `The deal is ${deal.status}; from there it can go to: open` &&
          error.details.members?.['current_status'] === deal.status,
      );
    }
  });

  it('to lost without a reason is refused at /lost_reason', () => {
    for (const attempt of [
      () => statusAfterMove(open, 'lost', null, now),
      () => firstStatus('lost', null, now),
    ]) {
      assert.throws(
        attempt,
        (error) => error instanceof Failure && error.details.errors?.[0]?.path === '/lost_reason',
      );
    }
  });
});

describe('a deal', () => {
  it('that begins in a won stage is closed at once', () => {
    assert.deepEqual(firstStatus('won', null, now), { ...won, closed_at: today });
    assert.deepEqual(firstStatus('open', null, now), open);
  });

  it('follows the type of the stage that it is put into without being asked', () => {
    assert.deepEqual(statusInStage(won, 'lost', now), {
      status: 'lost',
      closed_at: today,
      lost_reason: null,
    });
    assert.deepEqual(statusInStage(lost, 'open', now), open);
    assert.equal(statusInStage(lost, 'lost', now), lost);
  });
});

describe('days in a stage', () => {
  const table: [string, number][] = [
    ['2026-05-01T00:00:00.000Z', 0],
    ['2026-04-30T00:00:00.001Z', 0],
    ['2026-04-30T00:00:00.000Z', 1],
    ['2026-04-01T00:00:00.000Z', 30],
    ['2026-05-02T00:00:00.000Z', 0],
  ];
  for (const [entered, days] of table) {
    it(`since ${entered} are ${days}`, () => assert.equal(daysInStage(entered, now), days));
  }

  it('make an open deal stale when they reach what the stage allows', () => {
    const deal = { status: 'open' as const, stage_entered_at: '2026-04-21T00:00:00.000Z' };
    assert.equal(isStale(deal, { stale_after_days: 10 }, now), true);
    assert.equal(isStale(deal, { stale_after_days: 11 }, now), false);
    assert.equal(isStale(deal, { stale_after_days: null }, now), false);
    assert.equal(isStale({ ...deal, status: 'won' }, { stale_after_days: 1 }, now), false);
  });
});
