import iconv from 'iconv-lite';
import type { Encoding, Row } from '../../shared/platform/imports/reading/row.ts';
import { type ReadOptions, readRows } from '../../shared/platform/imports/reading/rows.ts';

/** UTF-8, commas, any number of columns, from the beginning; as far as a test says nothing else. */
export function readOptions(some: Partial<ReadOptions> = {}): ReadOptions {
  return { encoding: 'utf-8', delimiter: 'comma', columns: null, start: { byte: 0, row: 1 }, ...some };
}

/** All rows of the bytes, given in pieces of these sizes, which repeat, and cut in blocks of that many bytes. */
export async function readAll(
  bytes: Uint8Array,
  some: Partial<ReadOptions> = {},
  sizes: readonly number[] = [65_536],
  block_bytes?: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(inPieces(bytes, sizes), readOptions(some), block_bytes))
    rows.push(...batch);
  return rows;
}

/** The bytes in pieces of these sizes, which repeat. */
export async function* inPieces(
  bytes: Uint8Array,
  sizes: readonly number[] = [65_536],
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** The text in that encoding, without a byte-order mark; the judge of what we decode. */
export function encoded(text: string, encoding: Encoding): Buffer {
  return iconv.encode(text, encoding === 'shift_jis' ? 'cp932' : encoding, { addBOM: false });
}
