import { randomBytes } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import { newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';

/**
 * The links of receipts: one a response, the same in its mail and in every answer to a repeated submission. It shows the ending,
 * and the answers while they may be changed.
 */
export const receiptLinks: LinkPurpose = {
  name: 'forms_receipt',
  page: '/f/r',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

/** How long a receipt is shown, in milliseconds: 30 days. */
const SHOWN_FOR = 30 * 24 * 60 * 60_000;

/** The end of the receipt of a response that was submitted then. */
export function endOfReceipt(submitted_at: string): Date {
  return new Date(Date.parse(submitted_at) + SHOWN_FOR);
}

/** The address of a response's receipt, made or made again. */
export function receiptUrl(
  { connection, now, organization_id }: Reader,
  { id, submitted_at }: { id: string; submitted_at: string },
  base_url: string,
): Promise<string> {
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const until = endOfReceipt(submitted_at);
  return newLink(making, receiptLinks, { organization_id, record_id: id, until });
}
