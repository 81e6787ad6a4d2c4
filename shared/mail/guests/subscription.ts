import { z } from 'zod';
import { maskedEmail } from '../../kernel/masked-email.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id } from '../../kernel/schema.ts';
import { contactStatuses } from '../contacts/record.ts';
import type { MailGuest } from './recipient.ts';

/** Lists that a page shows, and that one call leaves. */
export const MOST_LISTS_LEFT = 100;

/** What whoever got a mail is told of how they are subscribed, as the API shows it. */
export const MailSubscription = z
  .strictObject({
    email: z
      .string()
      .nullable()
      .describe('Where the mail went, masked; null once the contact was erased, and of a test mail.')
      .meta({ examples: ['h***@example.co.jp'] }),
    status: z.enum(contactStatuses).describe('`unsubscribed`: they get no mail at all.'),
    lists: z
      .array(
        z.strictObject({
          id: id('mlist'),
          name: z.string().meta({ examples: ['ニュースレター'] }),
          subscribed: z.boolean(),
        }),
      )
      .describe('The lists that they are in, or have left.'),
  })
  .meta({ id: 'MailSubscription' });

export type MailSubscription = z.output<typeof MailSubscription>;

/** What somebody stops: all mail, or that of some lists. */
export const MailUnsubscription = z
  .strictObject({
    all: z.literal(true).describe('All mail. Either this or `list_ids`.').optional(),
    list_ids: z
      .array(id('mlist'))
      .min(1)
      .max(MOST_LISTS_LEFT)
      .describe('The mail of these lists alone.')
      .meta({ examples: [['mlist_01kaj2n5w5fq8b4m0g3v7x9rtc']] })
      .optional(),
  })
  .meta({ id: 'MailUnsubscription' });

/**
 * How the holder of a link is subscribed. Where the contact is erased, or has another address by now, the suppression of the
 * address says it.
 */
export async function subscriptionOf(reader: Reader, guest: MailGuest): Promise<MailSubscription> {
  const email = guest.email === null || guest.contact_id === null ? null : maskedEmail(guest.email);
  const status = await statusOf(reader, guest);
  if (status === null) return { email, status: await statusOfAddress(reader, guest), lists: [] };
  const lists = await reader.connection.query<MailSubscription['lists'][number]>(
    `SELECT l.id, l.name, m.unsubscribed_at IS NULL AND $3 AS subscribed
       FROM mail_list_members m JOIN mail_lists l ON l.organization_id = m.organization_id AND l.id = m.list_id
      WHERE m.organization_id = $1 AND m.contact_id = $2 ORDER BY l.name, l.id LIMIT ${MOST_LISTS_LEFT}`,
    [reader.organization_id, guest.contact_id, status !== 'unsubscribed'],
  );
  return { email, status, lists };
}

/** The status of the contact that has the address still; null where there is none. */
async function statusOf(
  { connection, organization_id }: Reader,
  { contact_id, email_key }: MailGuest,
): Promise<MailSubscription['status'] | null> {
  if (contact_id === null) return null;
  const [row] = await connection.query<{ status: MailSubscription['status'] }>(
    'SELECT status FROM mail_contacts WHERE organization_id = $1 AND id = $2 AND email_key = $3',
    [organization_id, contact_id, email_key],
  );
  return row?.status ?? null;
}

async function statusOfAddress(
  { connection, organization_id }: Reader,
  { email_hash }: MailGuest,
): Promise<MailSubscription['status']> {
  if (email_hash === null) return 'active';
  const [row] = await connection.query(
    'SELECT FROM suppressions WHERE organization_id = $1 AND email_hash = $2',
    [organization_id, email_hash],
  );
  return row ? 'unsubscribed' : 'active';
}
