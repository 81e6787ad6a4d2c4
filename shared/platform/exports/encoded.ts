import { cp932Encoder, type Encoder } from './cp932.ts';
import type { ExportRequest } from './record.ts';

/** Bytes that are written together: each write to the store has a fixed cost above that of its bytes. */
const GATHERED = 512 * 1024;

const BYTE_ORDER_MARK = '\ufeff';

const plain: Encoder = { take: (utf8) => utf8, end: () => new Uint8Array(0), replaced: () => 0 };

export type EncodedFile = {
  /** The bytes of the file, of what is written in UTF-8, gathered to large parts. */
  bytes(header: string, written: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void>;
  /** How many letters became 〓 so far. */
  replaced(): number;
};

/** A text file in the encoding that was asked for. */
export function encodedFile(encoding: ExportRequest['encoding']): EncodedFile {
  const encoder = encoding === 'shift_jis' ? cp932Encoder() : plain;
  const mark = encoding === 'utf-8-bom' ? BYTE_ORDER_MARK : '';
  return {
    async *bytes(header, written) {
      let parts: Uint8Array[] = [encoder.take(Buffer.from(`${mark}${header}`))];
      let size = 0;
      for await (const part of written) {
        const made = encoder.take(part);
        parts.push(made);
        size += made.length;
        if (size < GATHERED) continue;
        yield Buffer.concat(parts);
        parts = [];
        size = 0;
      }
      yield Buffer.concat([...parts, encoder.end()]);
    },
    replaced: encoder.replaced,
  };
}
