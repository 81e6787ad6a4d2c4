import type { Connection } from '../../kernel/connection.ts';
import { hashOfToken } from './token.ts';

export type AccountTokenPurpose = 'email_verification' | 'password_reset';

/** How long a link works, in milliseconds from the moment its mail is sent. */
export const TOKEN_LIFETIME: Record<AccountTokenPurpose, number> = {
  email_verification: 24 * 60 * 60 * 1000,
  password_reset: 60 * 60 * 1000,
};

/** The page that a link opens. */
const PATHS: Record<AccountTokenPurpose, string> = {
  email_verification: 'verify-email',
  password_reset: 'reset-password',
};

/** What a link is made with. */
export type LinkMaking = {
  connection: Connection;
  now: Date;
  base_url: string;
  /** A new 256-bit token; only its hash is stored. */
  newToken: () => string;
};

/**
 * Makes a link and answers its address. The token is bound to the present address of the user, so that it says nothing
 * about one that they have later.
 */
export async function newAccountLink(
  { connection, now, base_url, newToken }: LinkMaking,
  purpose: AccountTokenPurpose,
  user: { id: string; email: string },
): Promise<string> {
  const token = newToken();
  const expires_at = new Date(now.getTime() + TOKEN_LIFETIME[purpose]);
  await connection.query(
    `INSERT INTO account_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [hashOfToken(token), user.id, purpose, user.email, now.toISOString(), expires_at.toISOString()],
  );
  return `${base_url}/${PATHS[purpose]}/${token}`;
}

/**
 * Whom a link is for, without using it up: for the page that it opens (mail scanners open links too). Null when the
 * token is unknown, used, too old, or was sent to an address that is no longer the user's.
 */
export async function findAccountToken(
  connection: Connection,
  purpose: AccountTokenPurpose,
  token: string,
  now: Date,
): Promise<{ user_id: string; email: string } | null> {
  const token_hash = hashOfToken(token);
  if (!token_hash) return null;
  const [found] = await connection.query<{ user_id: string; email: string }>(
    `SELECT t.user_id, t.email FROM account_tokens t JOIN users u ON u.id = t.user_id AND u.email = t.email
     WHERE t.token_hash = $1 AND t.purpose = $2 AND t.used_at IS NULL AND t.expires_at > $3`,
    [token_hash, purpose, now.toISOString()],
  );
  return found ?? null;
}

/**
 * Who used a link up, for as long as it would have worked: for what its page offers afterwards. Null when it was not
 * used, is too old or unknown.
 */
export async function findUsedToken(
  connection: Connection,
  purpose: AccountTokenPurpose,
  token: string,
  now: Date,
): Promise<{ user_id: string } | null> {
  const token_hash = hashOfToken(token);
  if (!token_hash) return null;
  const [found] = await connection.query<{ user_id: string }>(
    `SELECT t.user_id FROM account_tokens t JOIN users u ON u.id = t.user_id AND u.email = t.email
     WHERE t.token_hash = $1 AND t.purpose = $2 AND t.used_at IS NOT NULL AND t.expires_at > $3`,
    [token_hash, purpose, now.toISOString()],
  );
  return found ?? null;
}

/**
 * Uses a link up, once, however many ask at the same time; the user's other links of that purpose end with it.
 * Null as in `findAccountToken`. To be called in the transaction of what the link allows.
 */
export async function useAccountToken(
  connection: Connection,
  purpose: AccountTokenPurpose,
  token: string,
  now: Date,
): Promise<{ user_id: string; email: string } | null> {
  const token_hash = hashOfToken(token);
  if (!token_hash) return null;
  const [used] = await connection.query<{ user_id: string; email: string }>(
    `UPDATE account_tokens t SET used_at = $3 FROM users u
     WHERE t.token_hash = $1 AND t.purpose = $2 AND t.used_at IS NULL AND t.expires_at > $3
       AND u.id = t.user_id AND u.email = t.email
     RETURNING t.user_id, t.email`,
    [token_hash, purpose, now.toISOString()],
  );
  if (!used) return null;
  await connection.query(
    'UPDATE account_tokens SET used_at = $3 WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL',
    [used.user_id, purpose, now.toISOString()],
  );
  return used;
}
