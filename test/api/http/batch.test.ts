import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batched } from '../../../api/http/batch.ts';

describe('a batched lookup', () => {
  test('asks once for what is asked for in one turn, each key once', async () => {
    const calls: string[][] = [];
    const find = batched(async (keys) => {
      calls.push(keys);
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    });
    assert.deepEqual(await Promise.all([find('a'), find('b'), find('a')]), ['A', 'B', 'A']);
    assert.deepEqual(calls, [['a', 'b']]);
  });

  test('asks again for what is asked for later: nothing is kept', async () => {
    let value = 'first';
    const find = batched(async (keys) => new Map(keys.map((key) => [key, value])));
    assert.equal(await find('a'), 'first');
    value = 'second';
    assert.equal(await find('a'), 'second');
  });

  test('answers null for what is not there, and fails for all of a failed call only', async () => {
    let fails = true;
    const find = batched<string>(async () => {
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
