import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  type AskedEncoding,
  detectEncoding,
} from '../../../../../shared/platform/imports/reading/encoding.ts';
import { previewOf } from '../../../../../shared/platform/imports/reading/preview.ts';
import type { RowFault } from '../../../../../shared/platform/imports/reading/row.ts';
import { contactLikeFields } from '../../../../support/import-fields.ts';
import { inPieces, readAll } from '../../../../support/reading.ts';

type Expected = {
  about: string;
  asked?: { encoding: AskedEncoding };
  encoding: string;
  delimiter: string;
  has_header: boolean;
  columns: string[];
  mapping: Record<string, string>;
  /** Number, cells, and the fault's code and column where there is one. */
  rows: [number, string[], RowFault['code']?, (number | null)?][];
};

const corpus = join(import.meta.dirname, '../corpus');
const files = globSync('*.{csv,txt}', { cwd: corpus }).sort();

describe('a file of the corpus', () => {
  for (const name of files) {
    const bytes = readFileSync(join(corpus, name));
    const expected: Expected = JSON.parse(readFileSync(join(corpus, `${name}.json`), 'utf8'));

    test(`${name}: ${expected.about}`, async () => {
      const asked = expected.asked?.encoding ?? 'auto';
      const detected = await detectEncoding(() => inPieces(bytes, [7, 1, 64]), asked);
      assert.ok('encoding' in detected);
      const { encoding, delimiter, has_header, columns, mapping, start } = await previewOf(bytes, {
        encoding: detected.encoding,
        delimiter: 'auto',
        has_header: 'auto',
        fields: contactLikeFields,
      });
      const options = { encoding, delimiter, columns: columns.length, start };
      const read = await readAll(bytes.subarray(start.byte), options, [5, 3], 16);
      const rows = read.map(({ row, cells, fault }) =>
        fault === null ? [row, cells] : [row, cells, fault.code, fault.column],
      );
      const { about, asked: _, ...facts } = expected;
      assert.deepEqual({ encoding, delimiter, has_header, columns, mapping, rows }, facts, about);
    });
  }

  test('is there', () => {
    assert.ok(files.length >= 20);
  });
});
