import { randomBytes } from 'node:crypto';
import type { Connection } from '../../kernel/connection.ts';
import { presentKey } from '../../platform/links/keys.ts';
import { newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { derivedToken, tokenFrom } from '../../platform/links/token.ts';

/**
 * The tokens of holds. They open no page: a booking brings one. Which hold it is of, and whether that is over, the hold says.
 */
export const holdLinks: LinkPurpose = {
  name: 'scheduler_hold',
  page: '/hold',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

type Held = { organization_id: string; id: string; expires_at: string };

/** The token of a hold, made anew or again. */
export async function holdToken(
  { connection, now }: { connection: Connection; now: Date },
  { organization_id, id: record_id, expires_at }: Held,
): Promise<string> {
  const making = { connection, now, base_url: '', newToken: () => tokenFrom(randomBytes(32)) };
  const until = new Date(expires_at);
  const address = await newLink(making, holdLinks, { organization_id, record_id, until });
  return address.slice(address.lastIndexOf('/') + 1);
}

/**
 * What stands for a client's address while it holds something: a hash by the key of these tokens, so that the address cannot be
 * found by trying all of them.
 */
export async function clientHash(
  { connection, now }: { connection: Connection; now: Date },
  address: string,
): Promise<string> {
  const { key } = await presentKey(connection, holdLinks.name, now, randomBytes(32));
  return derivedToken(key, ['client address', address]);
}
