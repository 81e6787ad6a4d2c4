import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outcomeOf, type Served } from '../../../../api/http/files/conditions.ts';

const etag = `"sha256:${'ab'.repeat(32)}"`;
const last_modified = 'Wed, 01 Apr 2026 00:30:00 GMT';
const file: Served = { size: 1000, etag, last_modified, ranges: true };

type Headers = Parameters<typeof outcomeOf>[0]['headers'];
type Case = [headers: Headers, expected: number | [start: number, end: number], differs?: Partial<Served>];

const range = { range: 'bytes=0-99' };
const first: [number, number] = [0, 99];
const stale = '"sha256:00"';

/** The table of the specification, and the orders of conditions between them. */
const cases: Case[] = [
  [{}, 200],
  [range, first],
  [{ range: 'bytes=900-' }, [900, 999]],
  [{ range: 'bytes=-100' }, [900, 999]],
  [{ range: 'bytes=990-5000' }, [990, 999]],
  [{ range: 'bytes=1000-' }, 416],
  [range, 416, { size: 0 }],
  [{ range: 'bytes=-5' }, 416, { size: 0 }],
  [{}, 200, { size: 0 }],
  [{ range: 'bytes=0-1,5-6' }, 200],
  [{ range: 'bytes=2000-,3000-' }, 200],
  [{ range: 'bytes=5-2' }, 200],
  [{ range: 'lines=1-2' }, 200],
  [range, 200, { ranges: false }],
  [{ range: 'bytes=1000-' }, 200, { ranges: false }],
  [{ ...range, 'if-range': etag }, first],
  [{ ...range, 'if-range': ` ${etag} ` }, first],
  [{ ...range, 'if-range': stale }, 200],
  [{ ...range, 'if-range': `W/${etag}` }, 200],
  [{ ...range, 'if-range': `${etag}, ${stale}` }, 200],
  [{ ...range, 'if-range': last_modified }, 200],
  [{ ...range, 'if-range': '' }, 200],
  [{ range: 'bytes=1000-', 'if-range': stale }, 200],
  [{ 'if-none-match': etag }, 304],
  [{ 'if-none-match': `${stale}, W/${etag}` }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': stale }, 200],
  [{ 'if-none-match': etag, ...range }, 304],
  [{ 'if-none-match': stale, ...range }, first],
  [{ 'if-modified-since': last_modified }, 304],
  [{ 'if-modified-since': 'Wed, 01 Apr 2026 00:29:59 GMT' }, 200],
  [{ 'if-modified-since': 'yesterday' }, 200],
  [{ 'if-none-match': stale, 'if-modified-since': last_modified }, 200],
  [{ 'if-match': etag }, 200],
  [{ 'if-match': `${stale}, ${etag}` }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': stale }, 412],
  [{ 'if-match': `W/${etag}` }, 412],
  [{ 'if-match': '' }, 412],
  [{ 'if-match': stale, 'if-none-match': etag }, 412],
  [{ 'if-match': etag, 'if-none-match': etag }, 304],
  [{ 'if-match': etag, ...range }, first],
];

describe('GET of a file', () => {
  for (const [headers, expected, differs = {}] of cases) {
    test(`${JSON.stringify({ ...headers, ...differs })}: ${expected}`, () => {
      const outcome = outcomeOf({ method: 'GET', headers }, { ...file, ...differs });
      if (typeof expected === 'number') assert.deepEqual(outcome, { status: expected });
      else assert.deepEqual(outcome, { status: 206, range: { start: expected[0], end: expected[1] } });
    });
  }
});

test('HEAD of a file is answered as GET without Range', () => {
  for (const [headers, , differs = {}] of cases) {
    const { range: _, ...others } = headers;
    const served = { ...file, ...differs };
    const head = outcomeOf({ method: 'HEAD', headers }, served);
    assert.deepEqual(head, outcomeOf({ method: 'GET', headers: others }, served), JSON.stringify(headers));
  }
});
