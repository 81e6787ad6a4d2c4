import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { guardFormula } from '../../../../../shared/platform/imports/formula.ts';
import {
  DELIMITERS,
  type Delimiter,
  type Encoding,
} from '../../../../../shared/platform/imports/reading/row.ts';
import { encoded, readAll } from '../../../../support/reading.ts';

const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'shift_jis'];
const encoding = fc.constantFrom(...encodings);
const delimiter = fc.constantFrom<Delimiter>('comma', 'tab', 'semicolon');

/** Letters of which CSV is made, and such as encodings stumble over. */
const letter = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('"', ',', '\t', ';', '\r', '\n', '\r\n', '""', "'", ' ', '=', '＝'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', '1', '@', '山', '田', 'ｱ', '髙', '﨑', '①', '㈱', 'ー', '表', 'ソ', '～'),
  },
  { weight: 1, arbitrary: fc.constantFrom('😀', 'é', '\u2028', '\ufeff', '\x1a', '\x1c', '\x7f', '𠮷') },
);
const cell = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

/** Whether the encoding has all of the text; iconv-lite writes a question mark for what it lacks. */
function fits(text: string, into: Encoding): boolean {
  return into !== 'shift_jis' || iconv.decode(iconv.encode(text, 'cp932'), 'cp932') === text;
}

type Style = { separator: string; line_end: string; quote_all: boolean };

/** A table as RFC 4180 has it. A line with nothing on it would be no row, so its only cell is quoted. */
function written(rows: string[][], { separator, line_end, quote_all }: Style): string {
  const special = ['"', '\r', '\n', ',', '\t', ';', '\ufeff', '\x1a'];
  const needsQuotes = (text: string) =>
    quote_all || text === '' || special.some((letter) => text.includes(letter));
  const quoted = (text: string) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => cells.map(quoted).join(separator) + line_end).join('');
}

/** Other readers leave apostrophes and byte-order marks where they stand. */
const plainTable = table.map((rows) =>
  rows.map((cells) => cells.map((text) => text.replaceAll(/['\ufeff]/g, ''))),
);

const style = fc.record({
  delimiter,
  line_end: fc.constantFrom('\n', '\r\n', '\r'),
  quote_all: fc.boolean(),
});

/** Anything that has the look of a CSV file, with bytes of no encoding in between. */
const uglyBytes = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: letter.map((text) => Buffer.from(text)) },
      { weight: 2, arbitrary: letter.map((text) => iconv.encode(text, 'cp932')) },
      {
        weight: 1,
        arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
      },
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.concat(parts));

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const blocks = fc.integer({ min: 1, max: 40 });

describe('reading', () => {
  test('gives back what was written, in every encoding, guarded or not', async () => {
    await fc.assert(
      fc.asyncProperty(table, encoding, style, fc.boolean(), async (rows, into, how, guarded) => {
        const unchanged = (text: string) => guarded || !/^'+[=+\-@\t\r＝＋－＠]/.test(text);
        fc.pre(rows.flat().every((text) => fits(text, into) && unchanged(text)));
        const separator = DELIMITERS[how.delimiter];
        const cells = guarded ? rows.map((row) => row.map(guardFormula)) : rows;
        const bytes = encoded(written(cells, { ...how, separator }), into);
        const read = await readAll(bytes, { encoding: into, delimiter: how.delimiter });
        assert.deepEqual(
          read.map((row) => row.cells),
          rows,
        );
        assert.deepEqual(
          read.filter((row) => row.fault !== null),
          [],
        );
        assert.equal(read.at(-1)?.end ?? 0, bytes.length);
      }),
      { numRuns: 600 },
    );
  });

  test('gives the same rows however the bytes are divided', async () => {
    await fc.assert(
      fc.asyncProperty(
        uglyBytes,
        encoding,
        delimiter,
        sizes,
        blocks,
        async (bytes, into, by, pieces, block) => {
          const options = { encoding: into, delimiter: by };
          assert.deepEqual(await readAll(bytes, options, pieces, block), await readAll(bytes, options));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('goes on behind any row with the same rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        uglyBytes,
        encoding,
        delimiter,
        sizes,
        blocks,
        async (bytes, into, by, pieces, block) => {
          const options = { encoding: into, delimiter: by, columns: 2 };
          const all = await readAll(bytes, options);
          for (const [index, { row, end }] of all.entries()) {
            const start = { byte: end, row: row + 1 };
            const rest = await readAll(bytes.subarray(end), { ...options, start }, pieces, block);
            assert.deepEqual(rest, all.slice(index + 1));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('agrees with csv-parse on files without faults', async () => {
    await fc.assert(
      fc.asyncProperty(plainTable, style, async (rows, how) => {
        const separator = DELIMITERS[how.delimiter];
        const text = written(rows, { ...how, separator });
        const theirs: string[][] = parse(text, {
          delimiter: separator,
          record_delimiter: how.line_end,
          relax_column_count: true,
        });
        const ours = await readAll(Buffer.from(text), { delimiter: how.delimiter });
        assert.deepEqual(
          ours.map(({ cells }) => cells),
          theirs,
        );
      }),
      { numRuns: 400 },
    );
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  test("agrees with Python's csv on files without faults, and on text behind closing quotes", {
    skip: !python,
  }, async () => {
    const files = fc
      .sample(fc.tuple(plainTable, style), 300)
      .map(([rows, how]) => ({ how, text: written(rows, { ...how, separator: DELIMITERS[how.delimiter] }) }));
    const odd = fc
      .sample(fc.array(fc.constantFrom('"a"', 'b', ' ', ',', '\n', '""', 'x"y'), { maxLength: 12 }), 300)
      .map((parts) => parts.join(''))
      // Where a quote is left open the two differ on purpose: they read on to the end of the file.
      .filter((text) => text.split('\n').every((line) => line.split('"').length % 2 === 1))
      .filter((text) => !/(^|[,\n])\w+"/.test(text))
      // Lines of separators alone are no rows here.
      .map((text) => text.replace(/^,+(\n|$)/gm, ''))
      .map((text) => ({ how: { delimiter: 'comma' as const, line_end: '\n', quote_all: false }, text }));
    const cases = [...files, ...odd];
    const script = [
      'import csv, io, json, sys',
      'csv.field_size_limit(10**9)',
      'for case in json.load(sys.stdin):',
      '  lines = io.StringIO(case["text"], newline="")',
      '  print(json.dumps([row for row in csv.reader(lines, delimiter=case["by"]) if row]))',
    ].join('\n');
    const input = JSON.stringify(cases.map(({ text, how }) => ({ text, by: DELIMITERS[how.delimiter] })));
    const { stdout, stderr } = spawnSync('python3', ['-c', script], { input, maxBuffer: 1 << 26 });
    assert.equal(String(stderr), '');
    const theirs = String(stdout).trimEnd().split('\n');
    assert.equal(theirs.length, cases.length);
    for (const [index, { text, how }] of cases.entries()) {
      const ours = await readAll(Buffer.from(text), { delimiter: how.delimiter });
      assert.deepEqual(
        ours.map(({ cells }) => cells),
        JSON.parse(theirs[index]!),
        JSON.stringify(text),
      );
    }
  });
});
