import { randomBytes } from 'node:crypto';
import type { Work } from '../../kernel/work.ts';
import { type LinkMaking, moveEndOfLinks, newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';

/**
 * The links of bookings: one a booking, the same in every mail and in every answer, also after it was moved. Who has one is the
 * guest. An ended one looks like one that never was.
 */
export const bookingLinks: LinkPurpose = {
  name: 'scheduler_booking',
  page: '/b',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

/** How long a link opens its booking after the end, in milliseconds: 30 days. */
const OPENS_AFTER = 30 * 24 * 60 * 60_000;

function endOfLink(end: string): Date {
  return new Date(Date.parse(end) + OPENS_AFTER);
}

/** Lets the link of a booking that was moved work as long after its new end. */
export function moveEndOfLink(work: Work, { id, end }: { id: string; end: string }): void {
  moveEndOfLinks(work, bookingLinks, id, endOfLink(end));
}

/** The link of a booking, made anew or again, and its token. It ends 30 days after the booking does, as that is now. */
export async function bookingLink(
  making: Omit<LinkMaking, 'newToken'>,
  { organization_id, id, end }: { organization_id: string; id: string; end: string },
): Promise<{ token: string; guest_url: string }> {
  const drawn = { ...making, newToken: () => tokenFrom(randomBytes(32)) };
  const until = endOfLink(end);
  const guest_url = await newLink(drawn, bookingLinks, { organization_id, record_id: id, until });
  return { token: guest_url.slice(guest_url.lastIndexOf('/') + 1), guest_url };
}
