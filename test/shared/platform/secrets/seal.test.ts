import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { secretKeysOf, secretsKeyFrom } from '../../../../shared/platform/secrets/keys.ts';
import { seal, unseal } from '../../../../shared/platform/secrets/seal.ts';

const AUTH_SECRET = 'what signs sessions, long enough for it';
const keys = secretKeysOf({ secretsKey: secretsKeyFrom(AUTH_SECRET) });
const of = { purpose: 'slack', organization_id: 'org_1', record_id: 'org_1' };
const sealed = seal(keys.present!, of, 'xoxb-秘密', randomBytes(12));

describe('a sealed secret', () => {
  it('opens as what it was, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(unseal(keys, of, seal(keys.present!, of, text, randomBytes(12))), text);
      }),
    );
  });

  it('holds nothing of its text, and is another one each time', () => {
    assert.equal(sealed.sealed.includes('xoxb'), false);
    const again = seal(keys.present!, of, 'xoxb-秘密', randomBytes(12));
    assert.notDeepEqual(again.sealed, sealed.sealed);
  });

  it('does not open as that of another row, organization or purpose', () => {
    for (const other of [
      { ...of, record_id: 'org_2' },
      { ...of, organization_id: 'org_2' },
      { ...of, purpose: 'google' },
    ]) {
      assert.equal(unseal(keys, other, sealed), null);
    }
  });

  it('does not open once a bit of it is another one, or a part is missing', () => {
    for (let place = 0; place < sealed.sealed.length; place++) {
      const changed = Buffer.from(sealed.sealed);
      changed[place]! ^= 1;
      assert.equal(unseal(keys, of, { ...sealed, sealed: changed }), null, `byte ${place}`);
      assert.equal(unseal(keys, of, { ...sealed, sealed: sealed.sealed.subarray(0, place) }), null);
    }
  });

  it('does not open with another key, or without one', () => {
    assert.equal(unseal(secretKeysOf({ secretsKey: 'another one' }), of, sealed), null);
    assert.equal(unseal(secretKeysOf({}), of, sealed), null);
  });

  it('opens while the key before is known: the earlier SECRETS_KEY, or the AUTH_SECRET that it followed from', () => {
    for (const previousSecretsKey of [secretsKeyFrom(AUTH_SECRET), AUTH_SECRET]) {
      const turned = secretKeysOf({ secretsKey: 'the new one', previousSecretsKey });
      assert.equal(unseal(turned, of, sealed), 'xoxb-秘密');
      assert.notEqual(turned.present!.id, sealed.key_id);
    }
  });
});
