import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { facetOf, facetsOf } from '../../../../shared/forms/responses/facets.ts';
import { responseSearch } from '../../../../shared/forms/responses/search.ts';
import { gramsOf } from '../../../../shared/platform/search/grams.ts';

const response = {
  form_id: 'form_1',
  form_version: 2,
  source: 'api',
  ending_id: null,
  data: {
    who: { last_name: '佐藤', first_name: '花子', last_name_kana: 'サトウ', first_name_kana: 'ハナコ' },
    message: 'Hello\nWorld',
    kind: { other: 'ＡＢＣ' },
    several: ['new', { other: 'def' }],
    rows: { first: 'good' },
    seats: '12',
    agreed: true,
    stars: 4,
  },
};

const fields = [
  { id: 'who', type: 'name' },
  { id: 'message', type: 'long_text' },
  { id: 'kind', type: 'choice' },
  { id: 'several', type: 'multi_choice' },
  { id: 'rows', type: 'matrix' },
  { id: 'seats', type: 'number' },
];

test('a response is found by its texts, and by no ID of an option', () => {
  const lines = responseSearch(response, fields).search_text.split('\n');
  assert.deepEqual(lines, [
    '佐藤',
    '花子',
    'さとう',
    'はなこ',
    '佐藤 花子',
    '佐藤花子',
    'さとう はなこ',
    'さとうはなこ',
    'hello world',
    'abc',
    'def',
  ]);
});

test('each value of an answer has a facet, at its field or part', () => {
  const facets = new Set(facetsOf(response));
  for (const [name, value] of [
    ['', ''],
    ['form_version', '2'],
    ['source', 'api'],
    ['/who.last_name', '佐藤'],
    ['/kind', 'ＡＢＣ'],
    ['/several', 'new'],
    ['/several', 'def'],
    ['/rows.first', 'good'],
    ['/seats', '12'],
    ['/agreed', 'true'],
    ['/stars', '4'],
  ] as const) {
    assert.ok(facets.has(facetOf('form_1', name, value)), `${name} ${value}`);
  }
  assert.ok(!facets.has(facetOf('form_1', 'ending_id', 'thanks')));
  assert.ok(!facets.has(facetOf('form_2', '/seats', '12')));
  const ended = facetsOf({ ...response, ending_id: 'thanks', data: { message: 'x'.repeat(256) } });
  assert.deepEqual(ended.length, 4, 'a long text has none');
  assert.ok(ended.includes(facetOf('form_1', 'ending_id', 'thanks')));
});

test('no facet is a gram of any text', () => {
  const surrogates = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(surrogates, fc.string(), fc.string(), (text, name, value) => {
      assert.ok(!gramsOf(text).includes(facetOf('form_1', name, value)));
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, value) => {
      const facet = facetOf('form_1', name, value);
      const [high, low] = [facet >>> 16, facet & 0xffff];
      assert.ok(high >= 0xd800 && high <= 0xdbff && (low < 0xdc00 || low > 0xdfff));
    }),
  );
});
