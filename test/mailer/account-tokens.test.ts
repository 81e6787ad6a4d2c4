import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Connection } from '../../shared/kernel/connection.ts';
import { newId } from '../../shared/kernel/id.ts';
import { NO_ORGANIZATION } from '../../shared/kernel/reader.ts';
import {
  emailVerificationLinks,
  findAccountToken,
  passwordResetLinks,
  useAccountToken,
} from '../../shared/platform/mailer/account-tokens.ts';
import type { Letter } from '../../shared/platform/mailer/letter.ts';
import { pointless } from '../../shared/platform/mailer/pointless.ts';
import type { Pointless, WholeMail } from '../../shared/platform/mailer/purpose.ts';
import { emailVerification, passwordReset } from '../../shared/platform/mailer/purposes/account.ts';
import { freshDatabase } from '../support/database.ts';
import { composingWith } from '../support/letters.ts';
import { newUser } from '../support/mail-states.ts';

const { database, drop } = await freshDatabase();
after(drop);

const now = new Date('2026-11-21T00:00:00.000Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function on<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
  return database.withConnection('*', run);
}

function compose(purpose: typeof passwordReset, user_id: string, locale: 'ja' | 'en' = 'en') {
  const given = { mail_id: newId('mail', now), organization_id: NO_ORGANIZATION, locale, now };
  return on((connection) => {
    const composing = composingWith({ ...given, connection, base_url: 'https://service.example' });
    return purpose.compose({ user_id }, composing);
  });
}

function tokenOf(letter: Letter | WholeMail | Pointless): string {
  assert.ok('action' in letter && letter.action);
  return letter.action.url.slice(letter.action.url.lastIndexOf('/') + 1);
}

describe('a link of a mail', () => {
  test('works once, for the user and purpose it was made for', async () => {
    const user_id = await newUser(database, 'once');
    const token = tokenOf(await compose(passwordReset, user_id));
    const found = { user_id, email: 'once@example.com' };
    assert.equal(await on((c) => useAccountToken(c, emailVerificationLinks, token, later(1))), null);
    assert.deepEqual(await on((c) => findAccountToken(c, passwordResetLinks, token, later(1))), found);
    const uses = await Promise.all(
      [1, 2, 3, 4].map(() => on((c) => useAccountToken(c, passwordResetLinks, token, later(1)))),
    );
    assert.deepEqual(
      uses.filter((used) => used !== null),
      [found],
    );
    assert.equal(await on((c) => findAccountToken(c, passwordResetLinks, token, later(1))), null);
  });

  test('ends with its time: an hour for a password, a day for an address', async () => {
    const user_id = await newUser(database, 'time');
    const reset = tokenOf(await compose(passwordReset, user_id));
    const verification = tokenOf(await compose(emailVerification, user_id));
    assert.ok(await on((c) => findAccountToken(c, passwordResetLinks, reset, later(59))));
    assert.equal(await on((c) => useAccountToken(c, passwordResetLinks, reset, later(60))), null);
    assert.ok(await on((c) => findAccountToken(c, emailVerificationLinks, verification, later(24 * 60 - 1))));
    assert.equal(
      await on((c) => useAccountToken(c, emailVerificationLinks, verification, later(24 * 60))),
      null,
    );
  });

  test('ends when another link of the same purpose is used', async () => {
    const user_id = await newUser(database, 'another');
    const first = tokenOf(await compose(passwordReset, user_id));
    const second = tokenOf(await compose(passwordReset, user_id));
    assert.ok(await on((c) => useAccountToken(c, passwordResetLinks, second, later(1))));
    assert.equal(await on((c) => useAccountToken(c, passwordResetLinks, first, later(1))), null);
  });

  test('says nothing about an address that the user has taken since', async () => {
    const user_id = await newUser(database, 'moved');
    const token = tokenOf(await compose(emailVerification, user_id));
    await on((c) => c.query("UPDATE users SET email = 'elsewhere@example.com' WHERE id = $1", [user_id]));
    assert.equal(await on((c) => useAccountToken(c, emailVerificationLinks, token, later(1))), null);
  });

  test('is nothing when it is no token', async () => {
    for (const text of ['', 'x', "' OR 1=1 --", '0'.repeat(64)]) {
      assert.equal(await on((c) => findAccountToken(c, passwordResetLinks, text, now)), null);
    }
  });

  test('is stored as its hash alone', async () => {
    const token = tokenOf(await compose(passwordReset, await newUser(database, 'hash')));
    const rows = await on((c) =>
      c.query('SELECT row_to_json(account_tokens)::text AS text FROM account_tokens'),
    );
    assert.ok(!JSON.stringify(rows).includes(token));
  });
});

test('an address that was confirmed meanwhile, or an account that is gone, gets no mail', async () => {
  const user_id = await newUser(database, 'confirmed');
  await on((c) => c.query('UPDATE users SET email_verified = true WHERE id = $1', [user_id]));
  assert.deepEqual(await compose(emailVerification, user_id), {
    pointless: pointless.confirmed,
  });
  const nobody = 'usr_01kaj2n5w5fq8b4m0g3v7x9rtc';
  assert.deepEqual(await compose(passwordReset, nobody), {
    pointless: pointless.account_gone,
  });
});
