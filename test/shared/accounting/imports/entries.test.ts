import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entryReader } from '../../../../shared/accounting/imports/entries.ts';

/** Rows as `date number line debit credit`, with `-` for a blank cell; `?` is a row that cannot be read. */
function dividedAt(...rows: string[]): number[] {
  const reader = entryReader();
  const begins = rows.map((text) => {
    const cells = text.split(' ');
    const names = ['date', 'number', 'line', 'debit', 'credit'];
    const cell = (name: string) => {
      const found = cells[names.indexOf(name)] ?? '-';
      return found === '-' || text === '?' ? '' : found;
    };
    return reader.begins({ is_readable: text !== '?', cell });
  });
  return begins.flatMap((isFirst, index) => (isFirst ? [index] : []));
}

describe('the entries of a file', () => {
  const cases: [name: string, rows: string[], begin: number[]][] = [
    ['are one where date and number are', ['d1 1 - 5 -', 'd1 1 - - 5', 'd1 1 - 3 -', 'd1 1 - - 3'], [0]],
    ['end where the number changes', ['d1 1 - 5 -', 'd1 1 - - 5', 'd1 2 - 3 -', 'd1 2 - - 3'], [0, 2]],
    ['end where the date changes', ['d1 1 - 5 -', 'd1 1 - - 5', 'd2 1 - 3 -', 'd2 1 - - 3'], [0, 2]],
    ['are neighbouring rows alone', ['d1 1 - 5 -', 'd1 2 - 5 -', 'd1 1 - - 5'], [0, 1, 2]],
    [
      'without numbers end where they balance',
      ['d1 - - 5 -', 'd1 - - - 2', 'd1 - - - 3', 'd1 - - 4 -'],
      [0, 3],
    ],
    ['without numbers end with the date, balanced or not', ['d1 - - 5 -', 'd2 - - 4 -'], [0, 1]],
    ['without numbers begin with line 1', ['d1 - 1 5 -', 'd1 - 2 - 5', 'd1 - 3 2 -', 'd1 - 1 4 -'], [0, 3]],
    ['go on behind an amount that is none', ['d1 - - x -', 'd1 - - - 5', 'd1 - - 4 -', 'd2 - - 4 -'], [0, 3]],
    [
      'are one on both sides of a row that cannot be read',
      ['d1 1 - 5 -', '?', 'd1 2 - 5 -', 'd1 3 - 5 -'],
      [0, 3],
    ],
    ['may begin with a row that cannot be read', ['?', 'd1 1 - 5 -', 'd1 2 - - 5'], [0, 2]],
    ['read amounts as people write them', ['d1 - - 1,200 -', 'd1 - - - １２００円', 'd1 - - 4 -'], [0, 2]],
    ['read days and numbers as people write them', ['2025/4/1 1 - 5 -', '2025-04-01 １ - - 5'], [0]],
    ['begin with a number behind rows without', ['d1 - - 5 -', 'd1 7 - 5 -'], [0, 1]],
  ];
  for (const [name, rows, begin] of cases) {
    test(name, () => assert.deepEqual(dividedAt(...rows), begin));
  }
});
