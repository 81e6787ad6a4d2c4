import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { limited, TooLong } from '../../workers/kernel/limited.ts';

const never = () => new Promise<void>(() => undefined);

test('a handler that ends in time leaves nothing at the signal of the process', async () => {
  const stopping = new AbortController();
  for (let n = 0; n < 3; n++) await limited(60_000, stopping.signal, async () => undefined);
  const failing = limited(60_000, stopping.signal, async () => {
    throw new Error('of its own');
  });
  await assert.rejects(failing, /of its own/);
  assert.equal(getEventListeners(stopping.signal, 'abort').length, 0);
});

test('one that takes longer than its job allows is given up, and told so', async () => {
  const told = Promise.withResolvers<unknown>();
  const run = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => told.resolve(signal.reason));
    return never();
  };
  await assert.rejects(limited(1, new AbortController().signal, run), TooLong);
  assert.ok((await told.promise) instanceof TooLong);
});

test('one whose process ends is given up with the reason of the process', async () => {
  const stopping = new AbortController();
  const reason = new Error('The process ends');
  const running = limited(60_000, stopping.signal, never);
  stopping.abort(reason);
  await assert.rejects(running, reason);
  await assert.rejects(limited(60_000, stopping.signal, never), reason);
});
