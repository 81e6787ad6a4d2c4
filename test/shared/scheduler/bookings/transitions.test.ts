import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bookingTransitions,
  guestTransitions,
  type Standing,
} from '../../../../shared/scheduler/bookings/transitions.ts';
import { doubledWays, requireAgreement, unreachedStatuses } from '../../../support/transitions.ts';

const standings = (kind: 'booking', status: string): Standing[] =>
  [true, false].flatMap((has_begun) =>
    [true, false].map((has_event_type) => ({ kind, status, has_begun, has_event_type })),
  );

describe('the table of bookings', () => {
  test('has each way once, and reaches every status but those that time brings', () => {
    assert.deepEqual(doubledWays(bookingTransitions), []);
    assert.deepEqual(unreachedStatuses(bookingTransitions, ['completed', 'expired']), []);
    assert.deepEqual(doubledWays(guestTransitions), []);
  });

  test('lists for staff what it lets through, with and without the right to write', () => {
    const askings = [{ grants: ['scheduler:write'] as const }, { grants: ['scheduler:read'] as const }];
    requireAgreement(bookingTransitions, { askings, standings });
  });

  test('lists for guests what it lets through, before and after each cutoff', () => {
    const cutoffs = [null, 999, 1_000].flatMap((cancel) =>
      [null, 999, 1_000].map((reschedule) => ({ cancel, reschedule })),
    );
    requireAgreement(guestTransitions, {
      askings: [{ grants: null }],
      standings: (kind, status) =>
        standings(kind, status).flatMap((standing) =>
          cutoffs.map((each) => ({ ...standing, now: 1_000, cutoffs: each })),
        ),
    });
  });
});
