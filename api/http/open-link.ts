import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { findLink, type Link } from '../../shared/platform/links/links.ts';
import { type LinkPurpose, linkRefused } from '../../shared/platform/links/purpose.ts';
import type { ApiContext } from '../context.ts';
import { chargeFailure } from './guessing.ts';
import type { Charge, Quota } from './limits.ts';
import { linkCharge } from './rate.ts';

/** Requests of an address with a token that opens nothing: unknown ones and those of ended links. */
const FAILED_TOKENS: Quota = { name: 'failed_tokens', limit: 60, window_seconds: 60 };

/** What is opened: a token, of which purpose, by whom. */
export type Opening = {
  purpose: LinkPurpose;
  token: string;
  /** The client's address. */
  ip_address: string;
  /** Whether the request counts as a read of the link; otherwise as a write. */
  is_read: boolean;
  /** `used`: the link must have been used up, as for what its page offers afterwards, and its time must not be over. */
  state?: 'living' | 'used';
};

/**
 * The link of a token, found by one query over all organizations; it names its own. A link that opens is charged by
 * `limitRate`; a refused request is charged here: to the client's address, and to the link where there is one. Errors: what
 * the purpose refuses with; in its place `rate_limited` for refused requests beyond 60 a minute of one address, or beyond
 * the limit of the link.
 */
export async function openLink(context: ApiContext, opening: Opening): Promise<Link> {
  const { purpose, token, state = 'living' } = opening;
  const now = context.now();
  const link = await context.database.withConnection(EVERY_ORGANIZATION, (connection) =>
    findLink(connection, purpose, token, now),
  );
  if (link && link.state === state && (state === 'living' || isInTime(link, now))) return link;
  const end = !link || link.state === 'living' ? 'unknown' : link.state;
  const failure = linkRefused(purpose, end);
  throw chargeFailure(context.limits, chargesOfRefused(context, opening, link), now, failure);
}

function chargesOfRefused(
  { settings: { rateLimitPerMinute } }: ApiContext,
  { ip_address, is_read }: Opening,
  link: Link | null,
): Charge[] {
  const charges = [{ bucket: addressBucket(ip_address), quota: FAILED_TOKENS }];
  if (link && rateLimitPerMinute > 0) {
    charges.push(linkCharge(link, { is_read, ip_address }, rateLimitPerMinute));
  }
  return charges;
}

function isInTime({ expires_at }: Link, now: Date): boolean {
  return expires_at === null || expires_at > now.toISOString();
}
