import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Heard, hearingOf, sequenceAfter } from '../../../shared/scheduler/icalendar/sequence.ts';

type Step = [status: string, heard: 'REQUEST' | 'CANCEL' | null, ics_sequence: number];

/** Lives of a booking: the status after each change, what calendars hear of it, and the number that this has. */
const lives: Record<string, Step[]> = {
  'booked, moved twice, cancelled': [
    ['confirmed', 'REQUEST', 0],
    ['confirmed', 'REQUEST', 1],
    ['confirmed', 'REQUEST', 2],
    ['cancelled', 'CANCEL', 3],
  ],
  'asked for, confirmed, moved by the guest, confirmed, cancelled': [
    ['pending', null, 0],
    ['confirmed', 'REQUEST', 0],
    ['pending', 'CANCEL', 1],
    ['confirmed', 'REQUEST', 2],
    ['cancelled', 'CANCEL', 3],
  ],
  'asked for, moved, declined': [
    ['pending', null, 0],
    ['pending', null, 0],
    ['declined', null, 0],
  ],
  'moved by the guest and never confirmed again': [
    ['confirmed', 'REQUEST', 0],
    ['pending', 'CANCEL', 1],
    ['expired', null, 1],
  ],
  'a guest who did not come, or did': [
    ['confirmed', 'REQUEST', 0],
    ['no_show', null, 0],
    ['confirmed', null, 0],
  ],
};

describe('what calendars hear of a booking', () => {
  for (const [life, steps] of Object.entries(lives)) {
    it(life, () => {
      let before: Heard | null = null;
      for (const [status, heard, ics_sequence] of steps) {
        const after: Heard = { status, ics_sequence: sequenceAfter(before, { status, ics_sequence: 0 }) };
        assert.deepEqual([hearingOf(before, after), after.ics_sequence], [heard, ics_sequence]);
        before = after;
      }
    });
  }
});
