import assert from 'node:assert/strict';
import { test } from 'node:test';
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
