import { hash } from 'node:crypto';
import type { Connection } from '../../kernel/connection.ts';

/** How many tries a bucket allows within any window of so many seconds (absent: 15 minutes). */
export type Guess = { bucket: string; limit: number; window_seconds?: number };

const QUARTER_OF_AN_HOUR = 15 * 60;
const DAY = 24 * 60 * 60;

/** Invitations that one address gets within 24 hours, from all organizations together. */
export const INVITATIONS_A_DAY = 5;

/** The invitations of a mailbox, by any of its addresses. */
export function invitationsOf(email: string): Guess {
  return {
    bucket: bucketOf(`invitations ${mailboxOf(email)}`),
    limit: INVITATIONS_A_DAY,
    window_seconds: DAY,
  };
}

/** The mails that strangers may ask for to a mailbox, by any of its addresses; `purpose` keeps counts apart. */
export function mailsTo(purpose: string, email: string): Guess {
  return { bucket: bucketOf(`${purpose} account ${mailboxOf(email)}`), limit: 10 };
}

/** The receipts of forms that a mailbox gets from one organization. */
export function receiptsOf(organization_id: string, email: string): Guess {
  return {
    bucket: bucketOf(`receipts ${organization_id} ${mailboxOf(email)}`),
    limit: 3,
    window_seconds: DAY,
  };
}

/** The mails that ask a mailbox to join lists of one organization. */
export function optInsOf(organization_id: string, email: string): Guess {
  return {
    bucket: bucketOf(`opt_ins ${organization_id} ${mailboxOf(email)}`),
    limit: 3,
    window_seconds: DAY,
  };
}

/** The bookings that guests make or move and that a mailbox is told of, in one organization. */
export function guestBookingsOf(organization_id: string, email: string): Guess {
  return {
    bucket: bucketOf(`bookings ${organization_id} ${mailboxOf(email)}`),
    limit: 20,
    window_seconds: DAY,
  };
}

/** The tries of one account, by its e-mail address in lower case. */
export function triesOfAccount(email: string): Guess {
  return { bucket: bucketOf(`sign_in account ${email}`), limit: 10 };
}

/**
 * The tries of one account that all client addresses without tries of their own have together: they can use up
 * nobody else's, and yet not guess without end.
 */
export function triesFromSpentAddresses(email: string): Guess {
  return { bucket: bucketOf(`sign_in account from spent addresses ${email}`), limit: 10 };
}

/** The tries of one client address; `purpose` keeps counts apart. */
export function triesOfAddress(purpose: string, client_address: string): Guess {
  return { bucket: bucketOf(`${purpose} address ${client_address}`), limit: 30 };
}

/** The tries of one client address with the password of one share. */
export function triesOfShare(share_id: string, client_address: string): Guess {
  return { bucket: bucketOf(`share ${share_id} address ${client_address}`), limit: 10 };
}

/** The tries of all client addresses together with the password of one share: who has many addresses does not guess without end. */
export function triesOfShareFromAnywhere(share_id: string): Guess {
  return { bucket: bucketOf(`share ${share_id}`), limit: 100 };
}

/** The tries of a browser that an account has signed in with before, by the browser's ID. */
export function triesOfBrowser(browser_id: string): Guess {
  return { bucket: bucketOf(`sign_in browser ${browser_id}`), limit: 10 };
}

/**
 * Counts a try before it is made, exactly, over all processes: two that arrive together cannot both be the last one.
 * Answers 0, or the seconds to wait when none is left.
 */
export function takeAttempt(connection: Connection, guess: Guess, now: Date): Promise<number> {
  return takeAttempts(connection, [guess], now);
}

/**
 * The same for buckets of one kind, which have one limit and window, each once: answers 0, or the seconds until one that has none left
 * has one again. Those that had one left were counted: in a transaction that is rolled back then. They are locked in one order.
 */
export async function takeAttempts(
  connection: Connection,
  guesses: readonly Guess[],
  now: Date,
): Promise<number> {
  const [first] = guesses;
  if (!first) return 0;
  const at = now.toISOString();
  const { limit, window_seconds = QUARTER_OF_AN_HOUR } = first;
  const window = 'make_interval(secs => $4)';
  const recent = `ARRAY(SELECT at FROM unnest(attempts.attempted_at) AS at WHERE at > $2::timestamptz - ${window})`;
  const buckets = [...new Set(guesses.map(({ bucket }) => bucket))];
  const taken = await connection.query<{ bucket: string }>(
    `INSERT INTO attempts (bucket, attempted_at, expires_at)
     SELECT bucket, ARRAY[$2::timestamptz], $2::timestamptz + ${window}
       FROM unnest($1::text[]) AS counted (bucket) ORDER BY bucket
     ON CONFLICT (bucket) DO UPDATE
       SET attempted_at = ${recent} || $2::timestamptz, expires_at = excluded.expires_at
       WHERE cardinality(${recent}) < $3
     RETURNING bucket`,
    [buckets, at, limit, window_seconds],
  );
  if (taken.length === buckets.length) return 0;
  const counted = new Set(taken.map(({ bucket }) => bucket));
  const spent = guesses.find(({ bucket }) => !counted.has(bucket))!;
  return Math.max(1, await secondsToAttempt(connection, spent, now));
}

/** Answers 0 while the bucket has a try left, else the seconds until it has one again. Counts nothing. */
export async function secondsToAttempt(connection: Connection, guess: Guess, now: Date): Promise<number> {
  const { window_seconds = QUARTER_OF_AN_HOUR } = guess;
  const [recent] = await connection.query<{ count: number; oldest: string | null }>(
    `SELECT count(*)::int AS count, min(at) AS oldest FROM attempts, unnest(attempted_at) AS at
      WHERE bucket = $1 AND at > $2::timestamptz - make_interval(secs => $3)`,
    [guess.bucket, now.toISOString(), window_seconds],
  );
  if (!recent?.oldest || recent.count < guess.limit) return 0;
  const since = (now.getTime() - Date.parse(recent.oldest)) / 1000;
  return Math.max(1, Math.ceil(window_seconds - since));
}

/** Gives back the try that was counted at `now`: it was no guess. */
export async function returnAttempt(connection: Connection, guess: Guess, now: Date): Promise<void> {
  const place = 'array_position(attempted_at, $2::timestamptz)';
  await connection.query(
    `UPDATE attempts SET attempted_at = attempted_at[:${place} - 1] || attempted_at[${place} + 1:]
      WHERE bucket = $1 AND $2::timestamptz = ANY (attempted_at)`,
    [guess.bucket, now.toISOString()],
  );
}

/** Forgets every try of a bucket, as for an account whose password was reset. */
export async function forgetAttempts(connection: Connection, { bucket }: Guess): Promise<void> {
  await connection.query('DELETE FROM attempts WHERE bucket = $1', [bucket]);
}

/** The address without the tag of a sub-address (RFC 5233), in lower case: victim+1@ is delivered to victim@. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+]+)\+.*(?=@)/, '$1');
}

function bucketOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
