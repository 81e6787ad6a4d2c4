import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasteOf } from '../../workers/kernel/haste.ts';
import { placesOf } from '../../workers/kernel/places.ts';

test('places are given in the order in which they were asked for, urgent ones first', async () => {
  const places = placesOf(1);
  const order: string[] = [];
  const ask = (name: string, is_urgent: boolean) =>
    places.take(is_urgent).then((is_taken) => {
      order.push(is_taken ? name : `${name} turned away`);
    });
  await ask('first', false);
  const waiting = [ask('normal', false), ask('next', false), ask('high', true), ask('higher', true)];
  for (const next of [2, 3, 0]) {
    places.give();
    await waiting[next];
  }
  assert.deepEqual(order, ['first', 'high', 'higher', 'normal']);
  places.close();
  await Promise.all([waiting[1], ask('late', true)]);
  assert.deepEqual(order.slice(4).toSorted(), ['late turned away', 'next turned away']);
});

test('there are more places while there is haste: after many quick jobs in a row, until one takes its time', async () => {
  const haste = hasteOf(2);
  const places = placesOf(2, haste.more);
  let taken = 0;
  const ask = (count: number) => {
    for (let each = 0; each < count; each += 1) void places.take(false).then(() => (taken += 1));
    return new Promise((done) => setImmediate(done));
  };
  await ask(20);
  assert.equal(taken, 2);
  for (let each = 0; each < 31; each += 1) haste.ended(0.1);
  places.give();
  await ask(0);
  assert.equal(taken, 3, 'one for the one that was given');
  haste.ended(0.1);
  places.give();
  await ask(0);
  assert.equal(taken - 2, 16, 'all that there are now');
  haste.ended(50);
  for (let each = 0; each < 14; each += 1) places.give();
  await ask(0);
  assert.equal(taken - 2, 16, 'none until fewer than two are taken');
  places.give();
  await ask(0);
  assert.equal(taken - 2, 17);
});
