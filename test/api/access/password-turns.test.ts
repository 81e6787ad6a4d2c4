import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurnOfAddress } from '../../../api/auth/password-turns.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

test('two of an address run at a time, fifty wait in their order, more are refused; other addresses go on', async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (number: number) => () => {
    begun.push(number);
    return new Promise<number>((resolve) => ends.push(() => resolve(number)));
  };
  const asked = Array.from({ length: 52 }, (_, number) => inTurnOfAddress('192.0.2.1', run(number)));
  assert.deepEqual(begun, [0, 1]);
  await assert.rejects(
    inTurnOfAddress('192.0.2.1', run(52)),
    (error) => error instanceof Failure && error.code === 'rate_limited',
  );
  assert.equal(await inTurnOfAddress('192.0.2.2', async () => 'other'), 'other');
  for (let number = 0; number < 52; number++) {
    ends[number]!();
    assert.equal(await asked[number], number);
  }
  assert.deepEqual(
    begun,
    Array.from({ length: 52 }, (_, number) => number),
  );
  assert.equal(await inTurnOfAddress('192.0.2.1', async () => 'again'), 'again');
});

test('one that fails gives its turn on', async () => {
  const failing = Array.from({ length: 5 }, () =>
    inTurnOfAddress('192.0.2.3', () => Promise.reject(new Error('wrong'))),
  );
  for (const each of failing) await assert.rejects(each, /wrong/);
  assert.equal(await inTurnOfAddress('192.0.2.3', async () => 'again'), 'again');
});
