import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looseKeys } from '../../../../shared/platform/storage/loose-keys.ts';

const MINUTE = 60_000;
const start = Date.parse('2026-04-01T00:00:00.000Z');
const place = (minutes = 0, organization_id = 'org_a', area = 'uploads') => ({
  organization_id,
  area,
  now: new Date(start + minutes * MINUTE),
});

/** Keys of a process, and how many were made each time. */
function counting() {
  const counts: number[] = [];
  const keys = looseKeys(async ({ organization_id, area }, count) => {
    const before = counts.reduce((sum, one) => sum + one, 0);
    counts.push(count);
    return Array.from({ length: count }, (_, index) => `${organization_id}/${area}/${before + index}`);
  });
  const take = async (count: number, minutes = 0) => {
    const taken: string[] = [];
    for (let n = 0; n < count; n += 1) taken.push(await keys.take(place(minutes)));
    return taken;
  };
  return { keys, counts, take };
}

test('few files make a key each; of many as many are made at once as came before, 64 at most', async () => {
  const { counts, take } = counting();
  const taken = await take(300);
  assert.deepEqual(counts, [1, 1, 1, 1, 1, 1, 1, 1, 9, 18, 36, 64, 64, 64, 64]);
  assert.equal(new Set(taken).size, 300);
});

test('no more stay unused than were used', async () => {
  for (const count of [1, 8, 9, 10, 17, 18, 30, 100, 1_000]) {
    const { counts, take } = counting();
    await take(count);
    const made = counts.reduce((sum, one) => sum + one, 0);
    assert.ok(made <= 2 * count, `${made} for ${count}`);
  }
});

test('those who come together share what is made, and each has a key of its own', async () => {
  const { keys, counts, take } = counting();
  await take(8);
  const taken = await Promise.all(Array.from({ length: 50 }, () => keys.take(place())));
  assert.equal(new Set(taken).size, 50);
  assert.ok(counts.length <= 8 + 3, counts.join());
});

test('a key is used within ten minutes, or not at all', async () => {
  const { counts, take } = counting();
  const taken = await take(9);
  const soon = await take(1, 9);
  const late = await take(1, 10);
  assert.equal(counts.length, 10, 'the tenth was there, the last one was made');
  assert.equal(counts.at(-1), 1);
  assert.equal(new Set([...taken, ...soon, ...late]).size, 11);
});

test('each place has its own', async () => {
  const { keys, take } = counting();
  await take(9);
  assert.match(await keys.take(place(0, 'org_b')), /^org_b\/uploads\//);
  assert.match(await keys.take(place(0, 'org_a', 'images')), /^org_a\/images\//);
});

test('where none can be made, those who wait are told, and the next one asks again', async () => {
  let away = false;
  const keys = looseKeys(async (_, count) => {
    if (away) throw new Error('The database is away');
    return Array.from({ length: count }, (_, n) => `${n}`);
  });
  for (let n = 0; n < 8; n += 1) await keys.take(place());
  away = true;
  const told = await Promise.allSettled([keys.take(place()), keys.take(place())]);
  assert.deepEqual(
    told.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  away = false;
  assert.equal(typeof (await keys.take(place())), 'string');
});
