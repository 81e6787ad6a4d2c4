import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText, printedEvents } from '../../../shared/sign/certificate/contents.ts';
import { certificateWords } from '../../../shared/sign/certificate/words.ts';
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

test('it tells a PDF that the page has shown from one that was downloaded', () => {
  const actor = { type: 'guest', id: 'signer_1', name: '佐藤 花子' } as const;
  const text = (data: Record<string, unknown>) =>
    eventText(
      { type: 'downloaded', actor, data },
      [{ id: 'signer_1', name: '佐藤 花子' }],
      certificateWords.ja,
    );
  assert.equal(text({ signer_id: 'signer_1', shown: true }), 'PDFを表示');
  assert.equal(text({ signer_id: 'signer_1' }), 'ダウンロード');
});
