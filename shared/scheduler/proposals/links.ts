import { randomBytes } from 'node:crypto';
import { type LinkMaking, newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';

/**
 * The links of proposals: one a proposal, the same in every mail and answer. Who has one is the guest. An ended one looks like
 * one that never was.
 */
export const proposalLinks: LinkPurpose = {
  name: 'scheduler_proposal',
  page: '/pr',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

/** How long a link shows its proposal after that has expired, in milliseconds: 30 days. */
const OPENS_AFTER = 30 * 24 * 60 * 60_000;

/** The address of a proposal's page, made anew or again: it ends 30 days after `expires_at`. */
export function proposalLink(
  making: Omit<LinkMaking, 'newToken'>,
  { organization_id, id, expires_at }: { organization_id: string; id: string; expires_at: string },
): Promise<string> {
  const drawn = { ...making, newToken: () => tokenFrom(randomBytes(32)) };
  const until = new Date(Date.parse(expires_at) + OPENS_AFTER);
  return newLink(drawn, proposalLinks, { organization_id, record_id: id, until });
}
