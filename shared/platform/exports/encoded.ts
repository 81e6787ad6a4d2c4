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
      let gathered = Buffer.allocUnsafe(GATHERED);
      let size = 0;
      // Copied at once: `written` uses its room again for the next part.
      function* gather(part: Uint8Array): Generator<Uint8Array> {
        for (let at = 0; at < part.length; ) {
          const fits = part.subarray(at, at + GATHERED - size);
          gathered.set(fits, size);
          at += fits.length;
          size += fits.length;
          if (size < GATHERED) continue;
          yield gathered;
          gathered = Buffer.allocUnsafe(GATHERED);
          size = 0;
        }
      }
      yield* gather(encoder.take(Buffer.from(`${mark}${header}`)));
      for await (const part of written) yield* gather(encoder.take(part));
      yield* gather(encoder.end());
      yield gathered.subarray(0, size);
    },
    replaced: encoder.replaced,
  };
}
