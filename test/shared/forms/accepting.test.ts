import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptingOf } from '../../../shared/forms/forms/accepting.ts';

const OPENS = '2026-12-01T00:00:00.000Z';
const CLOSES = '2026-12-08T00:00:00.000Z';
const DURING = '2026-12-03T00:00:00.000Z';

test('a form takes responses from its opening on, until its end, and as many as it has room for', () => {
  const table: [status: 'draft' | 'published' | 'archived', now: string, count: number, expected: string][] =
    [
      ['draft', DURING, 0, 'draft'],
      ['archived', DURING, 0, 'closed'],
      ['published', '2026-11-30T23:59:59.999Z', 0, 'not_open'],
      ['published', OPENS, 0, 'open'],
      ['published', '2026-12-07T23:59:59.999Z', 49, 'open'],
      ['published', DURING, 50, 'full'],
      ['published', CLOSES, 0, 'closed'],
      ['published', CLOSES, 50, 'closed'],
    ];
  for (const [status, now, response_count, expected] of table) {
    const settings = { opens_at: OPENS, closes_at: CLOSES, max_responses: 50 };
    const { open, reason } = acceptingOf({ status }, settings, { response_count }, new Date(now));
    assert.equal(open ? 'open' : reason, expected, `${status} ${now} ${response_count}`);
    assert.equal(open, reason === null);
  }
});
