import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { findLink, type Link } from '../../shared/platform/links/links.ts';
import type { LinkPurpose } from '../../shared/platform/links/purpose.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from './address.ts';
import { countFailure } from './guessing.ts';
import type { Quota } from './limits.ts';

const FAILED_TOKENS: Quota = { name: 'failed_tokens', limit: 60, window_seconds: 60 };

/** What is opened: a token, of which purpose, by whom. */
export type Opening = {
  purpose: LinkPurpose;
  token: string;
  /** The client's address. */
  ip_address: string;
  /** `used`: the link must have been used up, as for what its page offers afterwards, and its time must not be over. */
  state?: 'living' | 'used';
};

/**
 * The link of a token, found by one query over all organizations; it names its own. A token that was never sent counts
 * against the client's address. Errors: what the purpose refuses with, `rate_limited` for unknown tokens beyond 60 a minute.
 */
export async function openLink(
  context: ApiContext,
  { purpose, token, ip_address, state = 'living' }: Opening,
): Promise<Link> {
  const now = context.now();
  const link = await context.database.withConnection(EVERY_ORGANIZATION, (connection) =>
    findLink(connection, purpose, token, now),
  );
  if (!link) {
    const guesser = { bucket: addressBucket(ip_address), quota: FAILED_TOKENS, now };
    throw countFailure(context.limits, guesser, new Failure(purpose.refusals.unknown));
  }
  if (link.state === state && (state === 'living' || isInTime(link, now))) return link;
  throw new Failure(purpose.refusals[link.state === 'living' ? 'unknown' : link.state]);
}

function isInTime({ expires_at }: Link, now: Date): boolean {
  return expires_at === null || expires_at > now.toISOString();
}
