/** Bytes up to which a body is one small block: a large one costs more to allocate than such a file to store. */
const SHORT = 64 * 1024;

/**
 * Cuts a body into blocks of `size` bytes, the last one shorter. A block may be used until `buffers` blocks later: two
 * let one be written while the next arrives. A chunk of the body is copied before the next one is asked for.
 */
export async function* blocksOf(
  body: AsyncIterable<Uint8Array | string>,
  { size, buffers }: { size: number; buffers: number },
): AsyncGenerator<Buffer> {
  const used: Buffer[] = [];
  let block: Buffer | null = null;
  let filled = 0;
  for await (const chunk of body) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (rest.length > 0) {
      if (block === null && used.length === buffers) block = used.shift()!;
      // The first one grows with what comes.
      block ??= Buffer.allocUnsafeSlow(used.length === 0 ? Math.min(rest.length, size) : size);
      if (filled === block.length) block = grown(block, filled < SHORT ? Math.min(SHORT, size) : size);
      const copied = Math.min(rest.length, block.length - filled);
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
  if (block && filled > 0) yield block.subarray(0, filled);
}

function grown(block: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size);
  larger.set(block);
  return larger;
}
