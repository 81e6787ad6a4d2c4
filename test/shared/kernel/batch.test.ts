import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BatchOptions, batchedLookup, batcher, batcherPerKey } from '../../../shared/kernel/batch.ts';

describe('a batched lookup', () => {
  test('asks once for what is asked for in one turn, each key once', async () => {
    const calls: string[][] = [];
    const find = batchedLookup(async (keys) => {
      calls.push(keys);
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    });
    assert.deepEqual(await Promise.all([find('a'), find('b'), find('a')]), ['A', 'B', 'A']);
    assert.deepEqual(calls, [['a', 'b']]);
  });

  test('asks again for what is asked for later: nothing is kept', async () => {
    let value = 'first';
    const find = batchedLookup(async (keys) => new Map(keys.map((key) => [key, value])));
    assert.equal(await find('a'), 'first');
    value = 'second';
    assert.equal(await find('a'), 'second');
  });

  test('answers null for what is not there, and fails for all of a failed call only', async () => {
    let fails = true;
    const find = batchedLookup<string>(async () => {
      if (fails) throw new Error('away');
      return new Map();
    });
    const failed = await Promise.allSettled([find('a'), find('b')]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal(await find('a'), null);
  });
});

/** A batcher whose runs wait until they are let through, one by one. */
function heldBatcher(options: BatchOptions) {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const ask = batcher(async (items: number[]) => {
    batches.push(items);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => item * 10);
  }, options);
  const started = async (count: number) => {
    while (gates.length < count) await turn();
    return gates[count - 1]!;
  };
  return { ask, batches, started };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a batcher that starts with the turn', () => {
  test('runs the batches of two turns side by side', async () => {
    const { ask, batches, started } = heldBatcher({ start: 'turn', failure: 'all' });
    const first = [ask(1), ask(2)];
    const gate = await started(1);
    const second = ask(3);
    (await started(2)).resolve();
    assert.equal(await second, 30);
    gate.resolve();
    assert.deepEqual(await Promise.all(first), [10, 20]);
    assert.deepEqual(batches, [[1, 2], [3]]);
  });

  test('runs each of the others alone when the first one fails', async () => {
    const batches: string[][] = [];
    const ask = batcher(
      async (items: string[]) => {
        batches.push(items);
        if (items[0] === 'broken') throw new Error('cut off');
        return items;
      },
      { start: 'turn', failure: 'first' },
    );
    const ends = await Promise.allSettled([ask('broken'), ask('a'), ask('broken'), ask('b')]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(batches, [['broken', 'a', 'broken', 'b'], ['a'], ['broken'], ['b']]);
  });
});

describe('a batcher that starts when it is idle', () => {
  test('runs one batch at a time: the next one is what was asked for meanwhile', async () => {
    const { ask, batches, started } = heldBatcher({ start: 'idle', failure: 'all', pause: 1 });
    const answers = [ask(1)];
    const gate = await started(1);
    answers.push(ask(2), ask(3));
    await turn();
    assert.deepEqual(batches, [[1]]);
    gate.resolve();
    (await started(2)).resolve();
    assert.deepEqual(await Promise.all(answers), [10, 20, 30]);
    assert.deepEqual(batches, [[1], [2, 3]]);
    const later = ask(4);
    (await started(3)).resolve();
    assert.equal(await later, 40);
  });

  test('fails the first one alone, and runs the others in the next batch, before those who asked later', async () => {
    const batches: number[][] = [];
    const late: Promise<number>[] = [];
    const ask = batcher(
      async (items: number[]) => {
        batches.push(items);
        if (batches.length > 1) return items;
        late.push(ask(4));
        throw new Error('cut off');
      },
      { start: 'idle', failure: 'first' },
    );
    const failed = assert.rejects(ask(1), /cut off/);
    assert.deepEqual(await Promise.all([ask(2), ask(3)]), [2, 3]);
    await failed;
    assert.deepEqual(await Promise.all(late), [4]);
    assert.deepEqual(batches, [
      [1, 2, 3],
      [2, 3, 4],
    ]);
  });

  test('fails all of a failed batch alike, and runs the next one', async () => {
    let fails = true;
    const ask = batcher(
      async (items: number[]) => {
        if (fails) throw new Error('away');
        return items;
      },
      { start: 'idle', failure: 'all' },
    );
    const ends = await Promise.allSettled([ask(1), ask(2)]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal(await ask(3), 3);
  });
});

test('batchers per key are apart by key and by owner, and are made anew after the last answer', async () => {
  const batches: string[][] = [];
  const ask = batcherPerKey(
    async (items: string[]) => {
      batches.push(items);
      return items;
    },
    { start: 'idle', failure: 'first' },
  );
  const [one, other] = [{}, {}];
  await Promise.all([ask(one, 'a', '1a'), ask(other, 'a', '2a'), ask(one, 'b', '1b'), ask(one, 'a', '1a+')]);
  assert.deepEqual(batches.toSorted(), [['1a', '1a+'], ['1b'], ['2a']]);
  assert.equal(await ask(one, 'a', 'later'), 'later');
});
