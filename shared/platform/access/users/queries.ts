import type { Connection } from '../../../kernel/connection.ts';

/** An account as the proof of a password needs it. */
export type Account = {
  user_id: string;
  name: string;
  email: string;
  email_verified: boolean;
  password_hash: string | null;
};

const COLUMNS = `users.id AS user_id, users.name, users.email, users.email_verified,
  accounts.password AS password_hash`;
const FROM = `users LEFT JOIN accounts ON accounts.user_id = users.id AND accounts.provider_id = 'credential'`;

/** The account of an address (lower case), or null. */
export async function accountByEmail(connection: Connection, email: string): Promise<Account | null> {
  const text = `SELECT ${COLUMNS} FROM ${FROM} WHERE users.email = $1`;
  return (await connection.query<Account>(text, [email]))[0] ?? null;
}

/** The account of a user, or null. */
export async function accountOfUser(connection: Connection, user_id: string): Promise<Account | null> {
  const text = `SELECT ${COLUMNS} FROM ${FROM} WHERE users.id = $1`;
  return (await connection.query<Account>(text, [user_id]))[0] ?? null;
}

/** An account as the auth paths show it, with their field names. */
export type ShownUser = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  locale: string;
  createdAt: string;
  updatedAt: string;
};

/** A user that surely exists. */
export async function userById(connection: Connection, user_id: string): Promise<ShownUser> {
  const [user] = await connection.query<ShownUser>(
    `SELECT id, name, email, email_verified AS "emailVerified", image, locale, created_at AS "createdAt",
       updated_at AS "updatedAt" FROM users WHERE id = $1`,
    [user_id],
  );
  return user!;
}
