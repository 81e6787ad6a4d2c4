/** Bytes up to which a body is one small block: a large one costs more to allocate than such a file to store. */
const SHORT = 64 * 1024;

/**
 * Cuts a body into blocks of `size` bytes, the last one shorter. A block may be used until `buffers` blocks later: two
 * let one be written while the next arrives.
 */
export async function* blocksOf(
  body: AsyncIterable<Uint8Array | string>,
  { size, buffers }: { size: number; buffers: number },
): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] | null = [];
  const used: Buffer[] = [];
  let block: Buffer | null = null;
  let filled = 0;
  for await (const chunk of body) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (begun) {
      filled += rest.length;
      begun.push(rest);
      if (filled <= Math.min(SHORT, size)) continue;
      rest = Buffer.concat(begun);
      begun = null;
      filled = 0;
    }
    while (rest.length > 0) {
      block ??= used.length < buffers ? Buffer.allocUnsafeSlow(size) : used.shift()!;
      const copied = Math.min(rest.length, size - filled);
      block.set(rest.subarray(0, copied), filled);
      filled += copied;
      rest = rest.subarray(copied);
      if (filled < size) continue;
      yield block;
      used.push(block);
      block = null;
      filled = 0;
    }
  }
  if (begun) block = Buffer.concat(begun);
  if (block && filled > 0) yield block.subarray(0, filled);
}
