import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Guess, returnAttempt, takeAttempt } from '../../../../shared/platform/access/attempts.ts';
import { freshDatabase } from '../../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const START = new Date('2026-05-01T00:00:00.000Z').getTime();
const MINUTE = 60_000;

function at(milliseconds: number): Date {
  return new Date(START + milliseconds);
}

function take(guess: Guess, now: Date): Promise<number> {
  return database.withConnection('*', (connection) => takeAttempt(connection, guess, now));
}

test('so many tries within any fifteen minutes, not within each quarter of an hour', async () => {
  const guess = { bucket: 'sliding', limit: 3 };
  for (const minutes of [14, 14.5, 14.9]) assert.equal(await take(guess, at(minutes * MINUTE)), 0);
  assert.equal(await take(guess, at(16 * MINUTE)), 13 * 60);
  assert.equal(await take(guess, at(29 * MINUTE)), 0);
  assert.equal(await take(guess, at(29.1 * MINUTE)), 24);
});

test('tries that arrive in the same millisecond are all counted', async () => {
  const guess = { bucket: 'parallel', limit: 10 };
  const waits = await Promise.all(Array.from({ length: 40 }, () => take(guess, at(0))));
  assert.equal(waits.filter((seconds) => seconds === 0).length, 10);
  assert.ok(waits.every((seconds) => seconds === 0 || seconds === 900));
});

test('one that is given back frees one place, also beside others of the same millisecond', async () => {
  const guess = { bucket: 'returned', limit: 2 };
  await take(guess, at(0));
  await take(guess, at(0));
  await database.withConnection('*', (connection) => returnAttempt(connection, guess, at(0)));
  assert.equal(await take(guess, at(1)), 0);
  assert.notEqual(await take(guess, at(2)), 0);
});

test('buckets are apart, and one that nobody filled has nothing to give back', async () => {
  const guess = { bucket: 'untouched', limit: 1 };
  await database.withConnection('*', (connection) => returnAttempt(connection, guess, at(0)));
  assert.equal(await take(guess, at(0)), 0);
  assert.equal(await take({ bucket: 'another', limit: 1 }, at(0)), 0);
});
