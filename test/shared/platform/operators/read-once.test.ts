import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOnceIn } from '../../../../shared/platform/operators/read-once.ts';

test('one reading serves while it is under way, and for as long as it is fresh', async () => {
  let now = 0;
  const readings: PromiseWithResolvers<number>[] = [];
  const read = readOnceIn(
    1_000,
    () => {
      const reading = Promise.withResolvers<number>();
      readings.push(reading);
      return reading.promise;
    },
    () => now,
  );
  const asked = [read(), read()];
  now = 5_000;
  asked.push(read());
  readings[0]?.resolve(1);
  assert.deepEqual(await Promise.all(asked), [1, 1, 1]);
  now = 5_999;
  assert.equal(await read(), 1);
  assert.equal(readings.length, 1);
  now = 6_000;
  const failing = read();
  readings[1]?.reject(new Error('away'));
  await assert.rejects(failing, /away/);
  await assert.rejects(read(), /away/);
  now = 7_000;
  const next = read();
  readings[2]?.resolve(3);
  assert.equal(await next, 3);
});
