import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blocksOf } from '../../../../shared/platform/storage/blocks.ts';

/** Chunks whose memory is gone once the next one is asked for, as those of a request are. */
async function* passing(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    const lent = new Uint8Array(chunk);
    yield lent;
    lent.buffer.transfer(0);
  }
}

const chunk = fc
  .tuple(fc.integer({ min: 0, max: 150_000 }), fc.nat(255))
  .map(([length, value]) => new Uint8Array(length).fill(value));

test('blocks hold the bytes of the chunks in their order, all but the last of the size', async () => {
  const sizes = fc.constantFrom(1_000, 65_536, 70_000, 524_288);
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), sizes, async (chunks, size) => {
      const blocks: Buffer[] = [];
      for await (const block of blocksOf(passing(chunks), { size, buffers: 1 }))
        blocks.push(Buffer.from(block));
      assert.ok(Buffer.concat(blocks).equals(Buffer.concat(chunks)));
      assert.ok(blocks.slice(0, -1).every(({ length }) => length === size));
      assert.ok((blocks.at(-1)?.length ?? 1) > 0);
    }),
    { numRuns: 60 },
  );
});

test('a block may be used until as many others came as there are buffers', async () => {
  const chunks = Array.from({ length: 9 }, (_, index) => new Uint8Array(1_000).fill(index));
  let before: Buffer | null = null;
  let count = 0;
  for await (const block of blocksOf(passing(chunks), { size: 1_000, buffers: 2 })) {
    if (before) assert.deepEqual([...new Set(before)], [count - 1]);
    assert.deepEqual([...new Set(block)], [count]);
    before = block;
    count += 1;
  }
  assert.equal(count, 9);
});
