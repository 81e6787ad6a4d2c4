import { type Case, type FieldRows, formOf, optionsOf, type Row, same } from './case.ts';
import { partRows } from './part-rows.ts';

const options = { options: optionsOf('a', 'b', 'c') };
const emoji = '😀';

/** Fields with values and what each becomes. */
const TABLE: FieldRows[] = [
  [
    { type: 'short_text' },
    [
      same('山田'),
      [null, 'unanswered'],
      ['', 'unanswered'],
      [[], 'unanswered'],
      [{}, 'unanswered'],
      [' \u3000', 'unanswered'],
      ['  a b ', { stored: 'a b' }],
      ['a\r\nb\nc\rd', { stored: 'a b c d' }],
      ['\u304b\u3099', { stored: '\u304c' }],
      ['Ａ', { stored: 'Ａ' }],
      [5, 'wrong_type'],
      [true, 'wrong_type'],
      [['a'], 'wrong_type'],
      ['a\u0000', 'bad_characters'],
      ['a\ud800', 'bad_characters'],
      ['invoice\u202efdp.exe', 'bad_characters'],
      ['\u2068a\u2069', 'bad_characters'],
      same('\u0645\u062d\u0645\u062f \u200f(3)'),
      ['x'.repeat(1_000), { stored: 'x'.repeat(1_000) }],
      ['x'.repeat(1_001), 'too_long'],
      [emoji.repeat(1_000), { stored: emoji.repeat(1_000) }],
      same('<script>alert(1)</script>'),
    ],
  ],
  [
    { type: 'short_text', min_length: 2, max_length: 3, pattern: '[a-z]+' },
    [
      same('abc'),
      ['a', 'too_short'],
      ['abcd', 'too_long'],
      ['ab1', 'invalid_format'],
      ['1', 'invalid_format'],
      [' ab ', { stored: 'ab' }],
    ],
  ],
  [{ type: 'short_text', pattern: '(a+)+$' }, [same('aa'), [`${'a'.repeat(999)}!`, 'invalid_format']]],
  [
    { type: 'long_text' },
    [
      ['a\r\nb\rc', { stored: 'a\nb\nc' }],
      same('a\u202eb\u2066c'),
      ['\n\n', 'unanswered'],
      ['x'.repeat(10_000), { stored: 'x'.repeat(10_000) }],
      ['x'.repeat(10_001), 'too_long'],
      [1, 'wrong_type'],
    ],
  ],
  [
    { type: 'email' },
    [
      same('hanako.yamada@example.co.jp'),
      same('A@B.example'),
      [' a@b.example ', { stored: 'a@b.example' }],
      ['a@', 'invalid_format'],
      ['x'.repeat(3_000), 'invalid_format'],
      [`${'a'.repeat(255)}@b.example`, 'too_long'],
      ['a b@c.example', 'invalid_format'],
      ['山田@example.com', 'invalid_format'],
      [7, 'wrong_type'],
    ],
  ],
  [
    { type: 'phone' },
    [
      same('03-1234-5678'),
      same('+81 (3) 1234 5678'),
      ['０３-１２３４', { stored: '03-1234' }],
      ['０３ー１２３４−５６７８', { stored: '03-1234-5678' }],
      ['12345', 'invalid_format'],
      ['1234567890123456', 'invalid_format'],
      same('123456'),
      same('123456789012345'),
      ['03-1234-567x', 'invalid_format'],
      [312345678, 'wrong_type'],
    ],
  ],
  [
    { type: 'url' },
    [
      ['https://example.jp/a\u0000', 'bad_characters'],
      ['https://example.jp/a\ud800', 'bad_characters'],
      ['https://example.jp/\u202efdp.exe', 'bad_characters'],
      same('https://example.jp/😀'),
      same('https://example.com/a?b=c#d'),
      same('http://例え.jp'),
      same('HTTP://EXAMPLE.COM'),
      ['ftp://example.com', 'invalid_format'],
      ['javascript:alert(1)', 'invalid_format'],
      ['https://', 'invalid_format'],
      ['https://a b', 'invalid_format'],
      [`https://example.com/${'a'.repeat(2_000)}`, 'too_long'],
    ],
  ],
  [
    { type: 'number' },
    [
      ['１２', { stored: '12' }],
      [12, { stored: '12' }],
      ['-3', { stored: '-3' }],
      ['-0', { stored: '0' }],
      ['007', { stored: '7' }],
      ['12.0', { stored: '12' }],
      [0, { stored: '0' }],
      ['12.5', 'invalid_format'],
      ['1e3', 'invalid_format'],
      ['+5', 'invalid_format'],
      ['1,000', 'invalid_format'],
      ['many', 'invalid_format'],
      ['999999999999999', { stored: '999999999999999' }],
      ['1000000000000000', 'invalid_format'],
      [true, 'wrong_type'],
      [[1], 'wrong_type'],
      [{ a: 1 }, 'wrong_type'],
      ['1\u0000', 'bad_characters'],
    ],
  ],
  [
    { type: 'number', decimals: 6, min: '0.000001', max: 10.5 },
    [
      ['0.000001', { stored: '0.000001' }],
      ['0.0000010', { stored: '0.000001' }],
      ['0.0000001', 'invalid_format'],
      ['0', 'out_of_range'],
      [10.5, { stored: '10.5' }],
      ['10.500001', 'out_of_range'],
      ['.5', 'invalid_format'],
      ['5.', 'invalid_format'],
    ],
  ],
  [
    { type: 'date', min: 'today', max: 'today+30' },
    [
      same('2026-11-27'),
      same('2026-12-27'),
      ['2026-11-26', 'out_of_range'],
      ['2026-12-28', 'out_of_range'],
      ['2026-11-31', 'invalid_format'],
      ['2026-1-1', 'invalid_format'],
      ['27.11.2026', 'invalid_format'],
      [20261127, 'wrong_type'],
    ],
  ],
  [{ type: 'date', max: 'today-30' }, [same('2026-10-28'), ['2026-10-29', 'out_of_range']]],
  [
    { type: 'date' },
    [
      same('2024-02-29'),
      ['2026-02-29', 'invalid_format'],
      ['1900-02-29', 'invalid_format'],
      same('2000-02-29'),
    ],
  ],
  [
    { type: 'time', min: '09:00', max: '18:00' },
    [same('09:00'), ['08:59', 'out_of_range'], ['24:00', 'invalid_format'], ['9:00', 'invalid_format']],
  ],
  [
    { type: 'datetime', min: '2026-01-01T00:00' },
    [
      same('2026-04-01T09:30'),
      ['2025-12-31T23:59', 'out_of_range'],
      ['2026-04-01 09:30', 'invalid_format'],
      ['2026-04-01T09:30:00', 'invalid_format'],
    ],
  ],
  [
    { type: 'choice', ...options },
    [
      same('a'),
      ['z', 'unknown_option'],
      [' a', 'unknown_option'],
      [1, 'wrong_type'],
      [{ other: 'x' }, 'wrong_type'],
      [['a'], 'wrong_type'],
    ],
  ],
  [
    { type: 'dropdown', ...options, allow_other: true },
    [
      same('c'),
      [{ other: '  自由 ' }, { stored: { other: '自由' } }],
      [{ other: ' ' }, 'unanswered'],
      [{ other: 5 }, '/other wrong_type'],
      [{ other: 'x', more: 1 }, 'wrong_type'],
      [{ other: 'x'.repeat(256) }, '/other too_long'],
      ['other', 'unknown_option'],
    ],
  ],
  [
    { type: 'multi_choice', ...options, allow_other: true, min_selected: 2, max_selected: 3 },
    [
      [['c', 'a'], { stored: ['a', 'c'] }],
      [[{ other: 'x' }, 'b'], { stored: ['b', { other: 'x' }] }],
      [['a'], 'too_few'],
      [['a', 'b', 'c', { other: 'x' }], 'too_many'],
      [['a', 'a'], 'invalid_format'],
      [['a', 'z'], '/1 unknown_option'],
      [['a', 7], '/1 wrong_type'],
      ['a', 'wrong_type'],
      [{ a: true }, 'wrong_type'],
    ],
  ],
  [{ type: 'yes_no' }, [same(true), same(false), ['true', 'wrong_type'], [1, 'wrong_type']]],
  [{ type: 'consent', text: '同意します' }, [same(true), [false, 'unanswered'], ['yes', 'wrong_type']]],
  [
    { type: 'rating' },
    [same(1), same(5), [0, 'out_of_range'], [6, 'out_of_range'], ['3', 'wrong_type'], [2.5, 'wrong_type']],
  ],
  [{ type: 'rating', max: 10 }, [same(10), [11, 'out_of_range']]],
  [{ type: 'nps' }, [same(0), same(10), [11, 'out_of_range'], [-1, 'out_of_range']]],
  [{ type: 'scale', min: 0, max: 7 }, [same(0), same(7), [8, 'out_of_range']]],
  [{ type: 'scale', min: 1, max: 3 }, [[0, 'out_of_range'], same(3)]],
  ...partRows,
];

/** Each value of each field by itself: what is read, and that nothing else happens. */
export const valueCases: Case[] = TABLE.flatMap(([field, rows]) =>
  rows.map(([value, result], number) => ({
    name: `${JSON.stringify(field).slice(0, 80)}, value ${number + 1}`,
    schema: formOf([{ id: 'f', label: 'F', ...field }]),
    data: { f: value },
    expected: { ...expectedOf(result), visible: ['f'], dropped: [], path: ['page_1'], ending: null },
  })),
);

function expectedOf(result: Row[1]): Case['expected'] {
  if (typeof result === 'object') return { data: { f: result.stored }, errors: [] };
  if (result === 'unanswered') return { data: {}, errors: [] };
  const [part, code] = result.includes(' ') ? result.split(' ') : ['', result];
  return { data: {}, errors: [`/data/f${part} ${code}`] };
}
