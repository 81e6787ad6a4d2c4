import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, percent, speechIn } from '../../../api/ops/speech.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const { ago, duration, runTime } = speechIn('en', now);
const japanese = speechIn('ja', now);

const table = <Value>(say: (value: Value) => string, rows: [Value, string][]) => {
  for (const [value, words] of rows) assert.equal(say(value), words);
};

test('durations are said by their two largest units', () => {
  table(duration, [
    [0, '0 s'],
    [0.4, '0 s'],
    [45, '45 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [3600, '1 h'],
    [3605, '1 h'],
    [3725, '1 h 2 min'],
    [187_200, '2 d 4 h'],
    [-5, '0 s'],
  ]);
});

test('durations are said in Japanese without spaces', () => {
  table(japanese.duration, [
    [0, '0秒'],
    [200, '3分20秒'],
    [187_200, '2日4時間'],
  ]);
  assert.equal(japanese.runTime(340), '340ミリ秒');
});

test('run times are as exact as they are short', () => {
  table(runTime, [
    [0, '0 ms'],
    [340.4, '340 ms'],
    [2_440, '2.4 s'],
    [11_720, '12 s'],
    [200_000, '3 min 20 s'],
  ]);
});

test('sizes have the unit that suits them', () => {
  table(bytes, [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [61_204_118, '58 MiB'],
    [3 * 1024 ** 4, '3.0 TiB'],
  ]);
});

test('only all is a hundred percent', () => {
  table(percent, [
    [0, '0 %'],
    [0.734, '73 %'],
    [0.99996, '99.9 %'],
    [1, '100 %'],
  ]);
});

test('instants are said by how far they lie from now, in the largest unit', () => {
  const words = (iso: string, { ago: say } = speechIn('en', now)) => />([^<]*)</.exec(say(iso))?.[1];
  assert.equal(words('2026-11-21T11:59:58.000Z'), '2 s ago');
  assert.equal(words('2026-11-21T11:56:10.000Z'), '3 min ago');
  assert.equal(words('2026-11-20T06:00:00.000Z'), '1 d ago');
  assert.equal(words('2026-11-21T12:41:30.000Z'), 'in 41 min');
  assert.equal(words('2026-11-21T11:56:10.000Z', japanese), '3分前');
  assert.equal(words('2026-11-21T14:41:30.000Z', japanese), '2時間後');
  assert.match(ago('2026-11-21T11:59:58.000Z'), /title="2026-11-21 11:59:58 UTC"/);
  assert.equal(ago(null), '–');
});
