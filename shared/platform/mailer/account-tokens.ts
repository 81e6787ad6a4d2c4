import type { Connection } from '../../kernel/connection.ts';
import { NO_ORGANIZATION } from '../../kernel/reader.ts';
import { findLink, type Link, type LinkMaking, newLink, useLink } from '../links/links.ts';
import type { LinkPurpose } from '../links/purpose.ts';

const HOUR = 60 * 60 * 1000;

/** Nobody learns whether a link of an account never was one or has ended. */
const alike = { unknown: 'expired', revoked: 'expired', expired: 'expired', used: 'expired' } as const;

/**
 * The link that confirms an address. It opens nothing without the password, so it may be derived: a mail that is sent a
 * second time, because its end is unknown, carries the same link.
 */
export const emailVerificationLinks: LinkPurpose = {
  name: 'email_verification',
  page: '/verify-email',
  token: 'derived',
  derived_as: 'hex',
  lifetime: 24 * HOUR,
  max_uses: 1,
  one_living: false,
  use_ends_others: true,
  refusals: alike,
};

/** The link that sets a new password. Who can make its token has the account, so no key in the database can. */
export const passwordResetLinks: LinkPurpose = {
  name: 'password_reset',
  page: '/reset-password',
  token: 'random',
  lifetime: HOUR,
  max_uses: 1,
  one_living: false,
  use_ends_others: true,
  refusals: alike,
};

/** An account as its links name it. */
export function accountOf(user_id: string) {
  return { organization_id: NO_ORGANIZATION, record_id: user_id };
}

/**
 * Makes a link and answers its address. It is bound to the present address of the user, so that it says nothing about one
 * that they have later. `mail_id` names the mail that carries it, where there is one.
 */
export function newAccountLink(
  making: LinkMaking,
  purpose: LinkPurpose,
  user: { id: string; email: string },
  mail_id?: string,
): Promise<string> {
  const about = { ...accountOf(user.id), bound_to: user.email };
  return newLink(making, purpose, mail_id === undefined ? about : { ...about, serial: mail_id });
}

export type LinkedAccount = { user_id: string; email: string };

/** The account of a link; null when the link was sent to an address that is no longer the user's. */
export async function accountOfLink(
  connection: Connection,
  { record_id, bound_to }: Link,
): Promise<LinkedAccount | null> {
  const [found] = await connection.query<LinkedAccount>(
    'SELECT id AS user_id, email FROM users WHERE id = $1 AND email = $2',
    [record_id, bound_to],
  );
  return found ?? null;
}

/**
 * Whom a link is for, without using it up: for the page that it opens (mail scanners open links too). Null when the
 * token is unknown, used, too old, or was sent to an address that is no longer the user's.
 */
export async function findAccountToken(
  connection: Connection,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<LinkedAccount | null> {
  const link = await findLink(connection, purpose, token, now);
  return link?.state === 'living' ? accountOfLink(connection, link) : null;
}

/**
 * Uses a link up, once, however many ask at the same time; the user's other links of that purpose end with it.
 * Null as in `findAccountToken`. To be called in the transaction of what the link allows.
 */
export async function useAccountToken(
  connection: Connection,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<LinkedAccount | null> {
  const account = await findAccountToken(connection, purpose, token, now);
  return account && (await useLink(connection, purpose, token, now)) && account;
}
