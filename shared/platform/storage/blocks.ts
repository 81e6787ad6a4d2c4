/**
 * Cuts a body into blocks of `size` bytes, the last one shorter. A block may be used until `buffers` blocks later: two
 * let one be written while the next arrives.
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
  if (block && filled > 0) yield block.subarray(0, filled);
}
