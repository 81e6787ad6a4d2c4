import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { maskedEmail } from '../../../shared/kernel/masked-email.ts';
import { type Consent, consentAt, consents } from '../../../shared/sign/guests/consent.ts';
import { afterWrongTry, isLocked, NO_TRIES, type Tries } from '../../../shared/sign/guests/tries.ts';
import { hashOfValues } from '../../../shared/sign/values/hash.ts';

const now = new Date('2026-12-01T00:00:00.000Z');
const in_a_quarter = new Date('2026-12-01T00:15:00.000Z');

describe('wrong codes', () => {
  test('the fifth and the tenth lock for 15 minutes, the fifteenth until somebody unlocks', () => {
    let tries: Tries = NO_TRIES;
    const left: number[] = [];
    const locks: Record<number, string | null> = {};
    for (let count = 1; count <= 16; count++) {
      const after = afterWrongTry(tries, now);
      tries = after.tries;
      left.push(after.attempts_left);
      if (isLocked(tries, now)) locks[count] = tries.locked_until;
    }
    assert.deepEqual(left, [4, 3, 2, 1, 0, 4, 3, 2, 1, 0, 4, 3, 2, 1, 0, 0]);
    const until = in_a_quarter.toISOString();
    assert.deepEqual(locks, { 5: until, 10: until, 15: null, 16: null });
  });

  test('a lock ends by itself, the last one does not', () => {
    const fifth = afterWrongTry({ failed_tries: 4 }, now).tries;
    assert.deepEqual([isLocked(fifth, now), isLocked(fifth, in_a_quarter)], [true, false]);
    const last = afterWrongTry({ failed_tries: 14 }, now).tries;
    assert.ok(last.is_locked && isLocked(last, new Date('2031-01-01T00:00:00.000Z')));
  });
});

describe('the hash of values', () => {
  const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

  test('is that of the canonical JSON of fields in the order of their IDs', () => {
    const fields = [
      { id: 'sfld_b', value: null },
      { id: 'sfld_a', value: { text: '佐藤', kind: 'typed' } },
    ];
    const canonical =
      '[{"field_id":"sfld_a","value":{"kind":"typed","text":"佐藤"}},{"field_id":"sfld_b","value":null}]';
    assert.equal(hashOfValues(fields), sha256(canonical));
    assert.equal(hashOfValues(fields.toReversed()), hashOfValues(fields));
  });

  test('is that of an empty list where nobody has signed', () => {
    assert.equal(hashOfValues([]), sha256('[]'));
  });

  test('differs for every value, also between null, false and an empty text', () => {
    const hashes = [null, false, '', '0', { kind: 'typed', text: '' }].map((value) =>
      hashOfValues([{ id: 'sfld_a', value }]),
    );
    assert.equal(new Set(hashes).size, hashes.length);
  });
});

test('an address is shown by its first letter and its domain', () => {
  assert.equal(maskedEmail('taro@example.jp'), 't***@example.jp');
  assert.equal(maskedEmail('x@y.example'), 'x***@y.example');
});

describe('the text of the consent', () => {
  const rows: [Consent, ...Consent[]] = [
    { version: '2026-01-01', text: { en: 'one', ja: '一' } },
    { version: '2026-12-01', text: { en: 'two', ja: '二' } },
  ];

  test('is that of the latest day that has begun, and the first one before all days', () => {
    const version = (at: string) => consentAt(new Date(at), rows).version;
    assert.equal(version('2026-11-30T23:59:59.999Z'), '2026-01-01');
    assert.equal(version('2026-12-01T00:00:00.000Z'), '2026-12-01');
    assert.equal(version('2020-01-01T00:00:00.000Z'), '2026-01-01');
  });

  test('has versions in order, each once', () => {
    const versions = consents.map((row) => row.version);
    assert.deepEqual(versions, [...new Set(versions)].sort());
  });
});
