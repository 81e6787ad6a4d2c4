import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword, isPasswordOf } from '../../../../shared/platform/access/passwords.ts';

test('a password is stored as scrypt of 16,384 rounds in blocks of 2 KiB, with a salt of its own', async () => {
  const stored = await hashPassword('correct horse battery');
  const [salt = '', key] = stored.split(':');
  const expected = scryptSync('correct horse battery', salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 });
  assert.equal(key, expected.toString('hex'));
  assert.notEqual((await hashPassword('correct horse battery')).split(':')[0], salt);
  assert.equal(await isPasswordOf(stored, 'correct horse battery'), true);
  assert.equal(await isPasswordOf(stored, 'correct horse'), false);
});
