import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Scrypt = (...words: [unknown, unknown, number, object, unknown]) => void;

/**
 * Passwords are hashed with fewer rounds in this process from now on: by far the most of what the tests of accounts take.
 * The hashes are as many and of the same form, but another process refuses them. What the service's own hash costs is
 * the matter of test/shared/platform/access/passwords.test.ts.
 */
export function hashLightly(): void {
  const scrypt = crypto.scrypt as Scrypt;
  const light: Scrypt = (password, salt, length, options, done) =>
    scrypt(password, salt, length, { ...options, N: 256 }, done);
  Object.assign(crypto, { scrypt: light });
  syncBuiltinESMExports();
}
