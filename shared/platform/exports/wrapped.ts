const WRAP = 0x01;

/** How COPY sends one value a row: as it is, but for those with a line end or one of the two bytes, which it wraps. */
export const WRAPPED = "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'";

/** The values that COPY sends so, a line each: a wrapping byte is taken off, and of two that stand together one stays. */
export async function* linesIn(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let isWrapped = false;
  let closes = false;
  for await (const part of sent) {
    const output = Buffer.allocUnsafe(part.length + 1);
    let to = 0;
    for (const byte of part) {
      if (closes) {
        closes = false;
        if (byte === WRAP) {
          output[to++] = byte;
          continue;
        }
        isWrapped = false;
      }
      if (byte !== WRAP) output[to++] = byte;
      else if (isWrapped) closes = true;
      else isWrapped = true;
    }
    yield output.subarray(0, to);
  }
}
