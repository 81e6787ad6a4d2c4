import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealKeyFinding } from '../../../start/doctor/seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';

const DAY = 24 * 60 * 60_000;
const begun = new Date('2026-12-01T00:00:00.000Z');
/** The ends of the certificates that are made at that time. */
const end = new Date('2041-12-01T00:00:00.000Z');
const end_of_authority = new Date('2051-12-01T00:00:00.000Z');
const { key } = await testSealKey(begun);
const { key: later } = await testSealKey(new Date('2045-01-01T00:00:00.000Z'));

const before = (time: Date, days: number) => new Date(time.getTime() - days * DAY);

test('the certificate of the key that seals is told of from 60 days before its end, with the days', () => {
  assert.deepEqual(sealKeyFinding(key, new Date(before(end, 60).getTime() - 1)), {
    grade: 'ok',
    words:
      'The key that seals documents is that of Business Operations Service seal, valid until 2041-12-01.',
  });
  for (const [days, words] of [
    [60, /ends in 60 days: set SIGN_P12/],
    [1.5, /ends in 1 day: /],
    [0.5, /ends in 0 days: /],
  ] as const) {
    const found = sealKeyFinding(key, before(end, days));
    assert.equal(found.grade, 'warn');
    assert.match(found.words, words);
  }
  const ended = sealKeyFinding(key, new Date(end.getTime() + 1));
  assert.equal(ended.grade, 'fail');
  assert.match(ended.words, /whose certificate has ended/);
});

test('and so is that of its authority, by its own name', () => {
  const issued = { certificate: later.certificate, chain: key.chain };
  assert.equal(sealKeyFinding(issued, before(end_of_authority, 61)).grade, 'ok');
  const soon = sealKeyFinding(issued, before(end_of_authority, 59));
  assert.equal(soon.grade, 'warn');
  assert.match(soon.words, /its authority Business Operations Service seal CA ends in 59 days: set SIGN_P12/);
  const ended = sealKeyFinding(issued, new Date(end_of_authority.getTime() + 1));
  assert.equal(ended.grade, 'warn');
  assert.match(ended.words, /seal CA has ended/);
});
