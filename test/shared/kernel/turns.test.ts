import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce, inTurns, type Pausing } from '../../../shared/kernel/turns.ts';

/** Counts to 95, a millisecond each by its clock, and says which count it has reached when others have their turn. */
function counting() {
  let count = 0;
  const seen: number[] = [];
  function* computation(): Pausing<number> {
    for (; count < 95; count += 1) yield;
    return count;
  }
  return { computation, clock: () => count, look: () => void seen.push(count), seen };
}

describe('a computation that can pause', () => {
  test('lets others have their turn after each 10 ms, and answers the same', async () => {
    const { computation, clock, look, seen } = counting();
    const computed = inTurns(computation(), clock);
    let isOver = false;
    void computed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await computed, 95);
    assert.deepEqual([...new Set(seen)], [10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  test('has the same result without a pause', () => {
    const { computation, look, seen } = counting();
    setImmediate(look);
    assert.equal(atOnce(computation()), 95);
    assert.deepEqual(seen, []);
  });

  test('fails as it fails', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it pauses.
    function* failing(): Pausing<never> {
      throw new Error('no such day');
    }
    await assert.rejects(inTurns(failing()), /no such day/);
    assert.throws(() => atOnce(failing()), /no such day/);
  });
});
