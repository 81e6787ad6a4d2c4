import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  isTokenFor,
  NO_RECIPIENT,
  readToken,
  type TokenPurpose,
  tokenOf,
} from '../../../../shared/mail/campaigns/tokens.ts';

const key = Buffer.alloc(32, 7);

const purposes: readonly TokenPurpose[] = [
  'unsubscribe',
  'unsubscribe_mail',
  'view',
  'open',
  'click',
  'bounce',
];

const owner = fc.record({
  campaign_number: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  recipient_number: fc.integer({ min: NO_RECIPIENT, max: 2 ** 31 - 1 }),
});
const serial = fc.integer({ min: 1, max: 2 ** 15 - 1 });
const purpose = fc.constantFrom(...purposes);

describe('a token holds the numbers of its recipient', () => {
  test('it is what the words say', () => {
    const mac = createHmac('sha256', key).update('view 33 100000').digest().subarray(0, 10);
    const bits = [...mac].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const digits = bits
      .match(/.{5}/g)!
      .map((five) => '0123456789abcdefghjkmnpqrstvwxyz'[Number.parseInt(five, 2)]);
    const token = tokenOf({ serial: 1, key }, 'view', { campaign_number: 33, recipient_number: 100_000 });
    assert.equal(token, `11211431n0${digits.join('')}`);
  });

  test('it is read as it was written, in either case, has at most 40 letters, and no purpose has that of another', () => {
    fc.assert(
      fc.property(owner, serial, purpose, (of, number, for_what) => {
        const token = tokenOf({ serial: number, key }, for_what, of);
        assert.match(token, /^[0-9a-hjkmnp-tv-z]{22,40}$/);
        for (const written of [token, token.toUpperCase()]) {
          const read = readToken(written);
          assert.ok(read);
          const { mac: _, ...numbers } = read;
          assert.deepEqual(numbers, { ...of, serial: number });
          assert.deepEqual(
            purposes.filter((each) => isTokenFor(key, each, read)),
            [for_what],
          );
          assert.equal(isTokenFor(Buffer.alloc(32, 8), for_what, read), false);
        }
      }),
    );
  });
});

describe('what is no token', () => {
  test('any letter changed', () => {
    fc.assert(
      fc.property(
        owner,
        fc.nat(),
        fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz', 'u', '-', '.'),
        (of, place, letter) => {
          const token = tokenOf({ serial: 1, key }, 'unsubscribe', of);
          const at = place % token.length;
          fc.pre(token[at] !== letter);
          const read = readToken(token.slice(0, at) + letter + token.slice(at + 1));
          assert.ok(read?.serial !== 1 || !isTokenFor(key, 'unsubscribe', read));
        },
      ),
    );
  });

  test('anything else', () => {
    const token = tokenOf({ serial: 1, key }, 'open', { campaign_number: 1, recipient_number: 1 });
    for (const other of [
      '',
      '1',
      'x'.repeat(40),
      `${token}0`,
      token.slice(1),
      `1${token}`,
      `201${token.slice(2)}`,
    ]) {
      assert.equal(readToken(other), null, other);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readToken(text) === null));
  });
});
