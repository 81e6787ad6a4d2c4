import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneInput } from '../../../shared/kernel/schema.ts';

/** What callers may send, and what becomes of it; null where it is refused. */
const cases: [sent: string, kept: string | null][] = [
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['asia/tokyo', 'Asia/Tokyo'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['Etc/GMT+9', 'Etc/GMT+9'],
  ['UTC', 'UTC'],
  ['EST', 'EST'],
  ['Japan', 'Japan'],
  ['+09:00', null],
  ['JST', null],
  ['Tokyo', null],
  ['Z', null],
  ['', null],
  ['T00[Asia/Tokyo]', null],
  ['2026-01-01T00:00[Asia/Tokyo]', null],
];

for (const [sent, kept] of cases) {
  test(`a time zone of ${JSON.stringify(sent)} ${kept === null ? 'is refused' : `is kept as ${kept}`}`, () => {
    const parsed = timeZoneInput().safeParse(sent);
    assert.equal(parsed.success ? parsed.data : null, kept);
  });
}
