import { alreadyExists, refusesBy } from '../../../db/constraint.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import { endLinks } from '../../links/links.ts';
import { accountOf, passwordResetLinks } from '../../mailer/account-tokens.ts';

export type NewUser = {
  id: string;
  name: string;
  email: string;
  password_hash: string;
  email_verified: boolean;
  locale: 'ja' | 'en';
};

/** Makes a person's account, which belongs to no organization. Errors: `already_exists` for an address in use. */
export function createUser(work: Work, user: NewUser): void {
  const at = work.now.toISOString();
  work.run(
    `INSERT INTO users (id, name, email, email_verified, locale, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [user.id, user.name, user.email, user.email_verified, user.locale, at],
  );
  work.run(
    `INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
     VALUES ($1, $2, $2, 'credential', $3, $4, $4)`,
    [newId('acct', work.now), user.id, user.password_hash, at],
  );
}

/** Notes that the person proved to receive mail at the address. */
export function markVerified(work: Work, user_id: string): void {
  work.run('UPDATE users SET email_verified = true, updated_at = $2 WHERE id = $1 AND NOT email_verified', [
    user_id,
    work.now.toISOString(),
  ]);
}

/**
 * Sets a password and ends every session of the account but `kept_session_id`. Whoever signs in at this moment with
 * the old password waits for this and is refused (`requirePassword`).
 */
export function setPassword(
  work: Work,
  user_id: string,
  password_hash: string,
  kept_session_id: string | null,
): void {
  work.run(
    `INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
     VALUES ($1, $2, $2, 'credential', $3, $4, $4)
     ON CONFLICT (provider_id, account_id) DO UPDATE
       SET password = excluded.password, updated_at = excluded.updated_at`,
    [newId('acct', work.now), user_id, password_hash, work.now.toISOString()],
  );
  work.run('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [user_id, kept_session_id]);
  endLinks(work, passwordResetLinks, accountOf(user_id));
}

/**
 * Sees, until the commit, that the password is still the one that was proven a moment ago.
 * Errors: `invalid_credentials`.
 */
export async function requirePassword(work: Work, user_id: string, password_hash: string): Promise<void> {
  const found = await work.connection.query(
    `SELECT 1 FROM accounts WHERE user_id = $1 AND provider_id = 'credential' AND password = $2 FOR SHARE`,
    [user_id, password_hash],
  );
  if (found.length === 0) throw new Failure('invalid_credentials');
}

refusesBy('users_email_key', () =>
  alreadyExists('/email', {
    en: 'There is an account with this e-mail address',
    ja: 'このメールアドレスのアカウントはすでにあります',
  }),
);
