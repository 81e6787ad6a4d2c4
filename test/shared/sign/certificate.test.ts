import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedEvents } from '../../../shared/sign/certificate/contents.ts';
import type { TrailEvent } from '../../../shared/sign/trail/record.ts';

const eventOf = (type: TrailEvent['type'], index: number) => ({ type, seq: index + 1 }) as TrailEvent;
const seqs = (events: readonly TrailEvent[]) => events.map(({ seq }) => seq);

test('a certificate prints every event of a usual document', () => {
  const events = (['sent', 'invited', 'opened', 'downloaded', 'signed', 'completed'] as const).map(eventOf);
  assert.deepEqual(printedEvents(events), events);
});

test('of what a guest repeats thousands of times it prints the first 500, and all that tells of the signing', () => {
  const openings = Array.from({ length: 3_000 }, () => 'opened' as const);
  const events = (['sent', ...openings, 'signed', 'downloaded', 'completed'] as const).map(eventOf);
  const printed = printedEvents(events);
  assert.deepEqual(seqs(printed), [1, ...Array.from({ length: 500 }, (_, index) => index + 2), 3_002, 3_004]);
});
