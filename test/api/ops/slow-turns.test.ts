import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { slowTurns } from '../../../api/ops/slow-turns.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

/** Turns whose pauses end by hand, one of each address at a time. */
function turnsByHand() {
  const pauses: (() => void)[] = [];
  const turn = slowTurns(() => new Promise<void>((resolve) => pauses.push(resolve)));
  const endPause = async () => {
    pauses.shift()!();
    await nextTurn();
  };
  return { turn, endPause, pauses };
}

const staying = new AbortController().signal;
const isTooMany = (error: unknown) => error instanceof Failure && error.code === 'rate_limited';

test('one of an address has its turn after each pause, the newest first; other addresses have their own', async () => {
  const { turn, endPause, pauses } = turnsByHand();
  const begun: string[] = [];
  const come = (name: string, address = '192.0.2.1') => turn(address, staying).then(() => begun.push(name));
  const all = [come('first'), come('second'), come('third'), come('other', '192.0.2.2')];
  await nextTurn();
  assert.deepEqual([begun, pauses.length], [[], 2]);
  await endPause();
  assert.deepEqual(begun, ['third']);
  all.push(come('late'));
  await endPause();
  assert.deepEqual(begun, ['third', 'other']);
  await endPause();
  assert.deepEqual(begun, ['third', 'other', 'late']);
  await endPause();
  await endPause();
  await Promise.all(all);
  assert.equal(pauses.length, 0);
  const again = come('again');
  assert.equal(pauses.length, 1, 'a pause comes before the first too');
  await endPause();
  await again;
});

test('of more than a hundred the oldest is refused; who leaves takes no turn', async () => {
  const { turn, endPause } = turnsByHand();
  const begun: number[] = [];
  const leaving = new AbortController();
  const all = Array.from({ length: 101 }, (_, number) =>
    turn('192.0.2.1', number === 100 ? leaving.signal : staying).then(() => begun.push(number)),
  );
  await assert.rejects(all[0]!, isTooMany);
  leaving.abort();
  await assert.rejects(all[100]!, isTooMany);
  await assert.rejects(turn('192.0.2.1', leaving.signal), isTooMany);
  await endPause();
  assert.deepEqual(begun, [99]);
});
