import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashOfSecret, isWellFormedSecret, newSecret } from '../../../../shared/platform/access/secret.ts';

test('a new key has its form, and 256 bits of its own', () => {
  const secrets = Array.from({ length: 1000 }, () => newSecret(randomBytes));
  for (const secret of secrets) {
    assert.match(secret, /^sk_[0-9A-Za-z]{49}$/);
    assert.ok(isWellFormedSecret(secret));
  }
  assert.equal(new Set(secrets).size, secrets.length);
  assert.equal(hashOfSecret(secrets[0]!).length, 32);
});

test('letters that are not equally likely are thrown away', () => {
  const bytes = [255, 248, 0, 61, 62];
  let next = 0;
  const secret = newSecret((count) =>
    Uint8Array.from({ length: count }, () => bytes[next++ % bytes.length]!),
  );
  assert.match(secret, /^sk_(0z0)+/);
});

test('one mistyped letter is noticed without asking anybody', () => {
  const secret = newSecret(randomBytes);
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.nat({ max: 48 }), fc.nat({ max: 61 }), (place, letter) => {
      const at = 3 + place;
      fc.pre(secret[at] !== letters[letter]);
      return !isWellFormedSecret(secret.slice(0, at) + letters[letter] + secret.slice(at + 1));
    }),
  );
});

test('what is no key is none', () => {
  const secret = newSecret(randomBytes);
  for (const text of ['', 'sk_', secret.slice(1), `${secret}0`, secret.replace('sk_', 'pk_'), ` ${secret}`]) {
    assert.ok(!isWellFormedSecret(text), text);
  }
});
