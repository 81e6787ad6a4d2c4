import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { mailOriginOf } from '../campaigns/mail.ts';
import { campaignById } from '../campaigns/queries.ts';
import { campaignMail } from '../campaigns/sender.ts';
import { valueFor } from '../content/placeholders.ts';
import { addressPlaces } from '../content/places.ts';
import { valuesOf } from '../content/values.ts';
import { campaignLink } from '../reads/links.ts';
import { mailRecipientOf } from './mail-recipient.ts';
import type { MailGuest } from './recipient.ts';

/**
 * Where link `index` of a mail leads: to the address that is stored with the campaign, its placeholders filled in for this recipient,
 * and nowhere else. Errors: `not_found`.
 */
export async function addressOfLink(
  reader: Reader,
  guest: MailGuest,
  { index, base_url }: { index: number; base_url: string },
): Promise<string> {
  const stored = await campaignLink(reader, guest.campaign_id, index);
  if (stored === null) throw notFound();
  const url = stored.includes('{{') ? await filledIn(reader, guest, { stored, base_url }) : stored;
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) throw notFound();
  return address.href;
}

async function filledIn(
  reader: Reader,
  guest: MailGuest,
  { stored, base_url }: { stored: string; base_url: string },
): Promise<string> {
  const campaign = await campaignMail(reader, await campaignById(reader, guest.campaign_id));
  const origin = await mailOriginOf(reader, base_url);
  const recipient = await mailRecipientOf(reader, guest);
  const values = valuesOf(campaign, origin, recipient, guest.sent_at ? new Date(guest.sent_at) : reader.now);
  return addressPlaces(stored)
    .map((piece) => (typeof piece === 'string' ? piece : piece.write(valueFor(piece, values) ?? '')))
    .join('');
}
