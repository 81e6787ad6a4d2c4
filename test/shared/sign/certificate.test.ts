import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateOf, eventText, printedEvents } from '../../../shared/sign/certificate/contents.ts';
import { certificateWords } from '../../../shared/sign/certificate/words.ts';
import type { StoredDocument } from '../../../shared/sign/documents/rows.ts';
import type { TrailEvent } from '../../../shared/sign/trail/record.ts';

const eventOf = (type: TrailEvent['type'], index: number) => ({ type, seq: index + 1 }) as TrailEvent;
const seqs = (events: readonly TrailEvent[]) => events.map(({ seq }) => seq);

test('a certificate calls the zone of its times as people do, in the language of the document', () => {
  const zoneIn = (locale: 'ja' | 'en', time_zone: string) =>
    certificateOf({
      stored: {
        document: { id: 'doc_1', title: '契約書', locale, time_zone },
        signers: [],
        files: [{ kind: 'original', file_name: '契約書.pdf', page_count: 1, sha256: 'f' }],
      } as unknown as StoredDocument,
      events: [
        {
          ...eventOf('completed', 0),
          at: '2026-12-01T01:23:45.000Z',
          actor: { type: 'system' },
        } as TrailEvent,
      ],
      sender_name: null,
      organization_name: '山田商事株式会社',
      base_url: 'https://api.example.jp',
      attachment_name: 'trail.json',
      sealed_sha256: null,
    }).zone;
  assert.equal(zoneIn('ja', 'Asia/Tokyo'), '日本標準時');
  assert.equal(zoneIn('en', 'Asia/Tokyo'), 'Japan Standard Time');
  assert.equal(zoneIn('en', 'Etc/UTC'), 'Etc/UTC');
});

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
