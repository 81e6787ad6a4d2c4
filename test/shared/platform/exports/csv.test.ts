import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type CellKind, type LineEnding, rowWriter } from '../../../../shared/platform/exports/csv.ts';
import { guardFormula, unguardFormula } from '../../../../shared/platform/imports/formula.ts';

/** Cells as PostgreSQL's COPY writes them: quoted where they hold a comma, a quote, a line end, or nothing at all. */
function copied(rows: readonly (readonly (string | null)[])[]): Buffer {
  const cell = (text: string | null) => {
    if (text === null) return '';
    return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Buffer.from(rows.map((row) => `${row.map(cell).join(',')}\n`).join(''));
}

type Options = { cut?: number; line_ending?: LineEnding };

function written(
  kinds: readonly CellKind[],
  rows: readonly (readonly (string | null)[])[],
  { cut = Number.POSITIVE_INFINITY, line_ending = 'crlf' }: Options = {},
): { text: string; rows: number } {
  const writer = rowWriter(kinds, line_ending);
  const bytes = copied(rows);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += cut)
    parts.push(Buffer.from(writer.take(bytes.subarray(at, at + cut))));
  return { text: Buffer.concat(parts).toString(), rows: writer.rows() };
}

const line = (kind: CellKind, cell: string | null) =>
  written([kind, 'text'], [[cell, 'x']]).text.slice(0, -4);

describe('line ends', () => {
  test('are CRLF between rows, and stay what they are within a cell', () => {
    assert.equal(
      written(
        ['text', 'text'],
        [
          ['a\nb', 'c'],
          ['d\r\ne', null],
        ],
      ).text,
      '"a\nb",c\r\n"d\r\ne",\r\n',
    );
  });

  test('are LF where that is asked for', () => {
    assert.equal(written(['text'], [['a'], ['b']], { line_ending: 'lf' }).text, 'a\nb\n');
  });
});

describe('a text gets an apostrophe', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
    test(`that begins with ${JSON.stringify(start)}, also within quotes`, () => {
      assert.equal(line('text', `${start}1+1`).replaceAll('"', ''), `'${start}1+1`);
      assert.equal(line('text', `${start}1,"2"`), `"'${start}1,""2"""`);
    });
  }

  test('that would look guarded already', () => {
    assert.equal(line('text', "'=1"), "''=1");
    assert.equal(line('text', "''＝1"), "'''＝1");
  });
});

describe('no apostrophe', () => {
  for (const text of ['a=1', "'a", "'", '', '　=1', 'ー', '株式会社', '"=1"', '\n=1', 'ﾒ', '＃']) {
    test(`before ${JSON.stringify(text)}`, () => {
      assert.equal(parse(`${line('text', text)},x`)[0]?.[0], text);
    });
  }

  test('before numbers and days', () => {
    assert.equal(line('number', '-5.5'), '-5.5');
    assert.equal(line('day', '2026-11-21'), '2026-11-21');
  });
});

describe('a time', () => {
  for (const [copied, shown] of [
    ['2026-11-21 10:04:42+00', '2026-11-21T10:04:42.000Z'],
    ['2026-11-21 10:04:42.1+00', '2026-11-21T10:04:42.100Z'],
    ['2026-11-21 10:04:42.123456+00', '2026-11-21T10:04:42.123Z'],
  ] as const) {
    test(`${copied} is shown as the API does`, () => {
      assert.equal(line('time', copied), shown);
    });
  }

  test('that there is none stays blank', () => {
    assert.equal(line('time', null), '');
  });
});

const letter = fc.constantFrom(...'=+-@\t\r\n\',"aあ＝＋－＠ー＃0');
const cell = fc.option(fc.string({ unit: letter, maxLength: 8 }), { nil: null });
const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 });

describe('any rows', () => {
  test('are read back by csv-parse as they were, once the apostrophes are taken off', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, cut) => {
        const { text, rows: count } = written(['text', 'text', 'text'], rows, { cut });
        const read: string[][] = parse(text, { record_delimiter: '\r\n' });
        assert.equal(count, rows.length);
        assert.deepEqual(
          read.map((row) => row.map(unguardFormula)),
          rows.map((row) => row.map((each) => each ?? '')),
        );
      }),
    );
  });

  test('have exactly the apostrophes that the guard of the imports knows', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const read: string[][] = parse(written(['text', 'text', 'text'], rows).text, {
          record_delimiter: '\r\n',
        });
        assert.deepEqual(
          read,
          rows.map((row) => row.map((each) => guardFormula(each ?? ''))),
        );
      }),
    );
  });

  test('are the same bytes wherever what was copied is cut', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, cut) => {
        const kinds: CellKind[] = ['text', 'number', 'text'];
        assert.deepEqual(written(kinds, rows, { cut }), written(kinds, rows));
      }),
    );
  });
});
