import type { Connection } from '../kernel/connection.ts';
import { hashOfToken } from './token.ts';

export type AccountTokenPurpose = 'email_verification' | 'password_reset';

/** How long a link works, in milliseconds from the moment its mail is sent. */
export const TOKEN_LIFETIME: Record<AccountTokenPurpose, number> = {
  email_verification: 24 * 60 * 60 * 1000,
  password_reset: 60 * 60 * 1000,
};

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
