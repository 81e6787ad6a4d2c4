import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentReader, makesDocumentsAnew } from '../../../shared/invoicing/imports/units.ts';

type Cells = Record<string, string> | 'unreadable';

function seen(row: Cells) {
  const is_readable = row !== 'unreadable';
  return { is_readable, cell: (name: string) => (is_readable ? (row[name] ?? '') : '') };
}

/** The rows of each document, by their places. */
function documentsIn(rows: readonly Cells[]): number[][] {
  const reader = documentReader();
  const documents: number[][] = [];
  rows.forEach((row, place) => {
    const begins = reader.begins(seen(row));
    if (begins) documents.push([]);
    documents.at(-1)!.push(place);
  });
  return documents;
}

const A = { external_id: 'A', company_name: '山田', issue_date: '2026-04-30' };
const B = { external_id: 'B', company_name: '山田', issue_date: '2026-04-30' };

const cases: [what: string, rows: Cells[], documents: number[][]][] = [
  ['neighbours of one external_id are one', [A, A, B], [[0, 1], [2]]],
  [
    'of one number where there is no other key',
    [{ number: '1' }, { number: '1' }, { number: '2' }],
    [[0, 1], [2]],
  ],
  [
    'an external_id tells apart what has one number',
    [
      { ...A, number: '1' },
      { ...B, number: '1' },
    ],
    [[0], [1]],
  ],
  [
    'a row without key, company and day goes on',
    [A, {}, {}, B, {}],
    [
      [0, 1, 2],
      [3, 4],
    ],
  ],
  ['one with the key again goes on as well', [A, {}, { external_id: 'A' }], [[0, 1, 2]]],
  [
    'a row with a company of its own begins one',
    [A, { company_name: '山田' }, { issue_date: 'x' }],
    [[0], [1], [2]],
  ],
  ['rows apart are two', [A, B, A], [[0], [1], [2]]],
  [
    'a row of the document begins one, rows of lines go on',
    [
      { row_type: '請求書' },
      { row_type: '品目', company_name: 'x' },
      { row_type: '請求書' },
      { row_type: '品目' },
    ],
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['a row that cannot be read joins both sides', [A, 'unreadable', B, B, A], [[0, 1, 2, 3], [4]]],
  ['the first row begins whatever it is', ['unreadable', A, B], [[0, 1], [2]]],
  ['no key is told by the name of another', [{ external_id: '1' }, { number: '1' }], [[0], [1]]],
];

describe('the documents of a file', () => {
  for (const [what, rows, documents] of cases) {
    test(what, () => assert.deepEqual(documentsIn(rows), documents));
  }
});

const bare = { company_name: '山田', issue_date: '2026-04-30' };

const sentAgain: [what: string, rows: Cells[], anew: boolean][] = [
  ['of no rows', [], false],
  ['with an external_id', [A, B], false],
  ['with a number', [{ ...bare, number: '1' }], false],
  ['that goes on below its key', [A, {}, {}], false],
  ['without a key', [bare, {}], true],
  ['without a key behind one that has one', [A, {}, bare], true],
  ['that cannot be read between others', [A, 'unreadable', B], false],
];

describe('a file that is sent again', () => {
  for (const [what, rows, anew] of sentAgain) {
    test(`makes ${anew ? 'anew' : 'nothing anew of'} a document ${what}`, () => {
      assert.equal(makesDocumentsAnew(rows.map(seen)), anew);
    });
  }
});
