import { DAY } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import { moveCounts, moveHourlyCounts } from '../campaigns/counts.ts';
import { noteIfSent, settled, settledCounts } from '../campaigns/settled.ts';
import { changeLockedContact } from '../contacts/operations.ts';
import { type LockedMailContact, lockMailContact } from '../contacts/queries.ts';
import type { MailContact } from '../contacts/record.ts';
import { suppressAddress } from '../suppressions/operations.ts';
import type { BounceReport } from './event.ts';
import { type MailedRecipient, Recipients } from './recipients.ts';

/** From so many campaigns on whose mails bounced softly within this time, a contact counts as bounced. */
const SOFT_BOUNCES = 3;
const SOFT_BOUNCE_TIME = 30 * DAY;

/**
 * Records the bounce of a mail on its recipient, locked, and what follows for contact and address. Told again it changes nothing;
 * a hard one takes the place of a soft one. `at`: when it was received. Locks: the contact, the suppression, the counts.
 */
export async function bounceRecipient(
  work: Work,
  recipient: MailedRecipient,
  bounce: BounceReport,
  at: string,
): Promise<void> {
  const isKnown = recipient.bounce_class === bounce.class || recipient.bounce_class === 'hard';
  if (isKnown) return;
  const isHard = bounce.class === 'hard';
  const bounces = isHard || (await isThirdSoftBounce(work, recipient, at));
  const contact = bounces
    ? await changeContact(work, recipient, ['active'], {
        status: 'bounced',
        status_reason: isHard ? 'hard_bounce' : 'soft_bounce',
      })
    : null;
  await noteIfSent(work, recipient, at);
  const suppression = isHard ? await suppressAddress(work, { ...recipient, reason: 'hard_bounce' }) : null;
  work.update(Recipients, recipient.id, {
    bounce_class: bounce.class,
    bounce_status: bounce.status,
    // It often names the address, which an erased contact has no more.
    bounce_diagnostic: recipient.email === null ? null : bounce.diagnostic,
    bounce_at: at,
    bounce_suppression_id: suppression?.id ?? recipient.bounce_suppression_id,
    bounced_contact_at: contact?.updated_at ?? recipient.bounced_contact_at,
    ...settled(work, recipient, at),
  });
  moveCounts(work, recipient, {
    ...settledCounts(recipient),
    hard_bounces: isHard ? 1 : 0,
    soft_bounces: isHard ? (recipient.bounce_class === 'soft' ? -1 : 0) : 1,
  });
  moveHourlyCounts(work, recipient, at, {
    sent: recipient.status === 'unknown' ? 1 : 0,
    bounces: recipient.bounce_class === null ? 1 : 0,
  });
}

/** Records a complaint: its contact is unsubscribed, and its address suppressed. Told again it changes nothing. */
export async function complainRecipient(work: Work, recipient: MailedRecipient, at: string): Promise<void> {
  if (recipient.complained_at !== null) return;
  const refused = { status: 'unsubscribed', status_reason: 'complaint' } as const;
  await changeContact(work, recipient, ['active', 'bounced'], refused);
  await noteIfSent(work, recipient, at);
  await suppressAddress(work, { ...recipient, reason: 'complaint' });
  work.update(Recipients, recipient.id, { complained_at: at, ...settled(work, recipient, at) });
  moveCounts(work, recipient, { ...settledCounts(recipient), complaints: 1 });
  moveHourlyCounts(work, recipient, at, { sent: recipient.status === 'unknown' ? 1 : 0 });
}

/**
 * Unsubscribes the holder of an address from all mail. `reason` says how: a mail, a click, a page. Where the contact is erased, or has
 * another address by now, the address is suppressed by its hash. Told again it changes nothing. `locked`: the contact, null where it is
 * erased, of who has locked it already.
 */
export async function unsubscribeRecipient(
  work: Work,
  recipient: MailedRecipient,
  { reason, at, locked }: { reason: string; at: string; locked?: LockedMailContact | null },
): Promise<void> {
  const refused = { status: 'unsubscribed', status_reason: reason } as const;
  const known = locked === undefined ? await lockContactOf(work, recipient) : locked;
  const isTheirs = known !== null && known.email_key === recipient.email_key;
  if (!isTheirs) await suppressAddress(work, { ...recipient, reason: 'unsubscribed' });
  else if (known.contact.status !== 'unsubscribed') await changeLockedContact(work, known, refused);
  if (recipient.unsubscribed_at !== null) return;
  work.update(Recipients, recipient.id, { unsubscribed_at: at, updated_at: work.touch(recipient) });
  moveCounts(work, recipient, { unsubscribes: 1 });
  moveHourlyCounts(work, recipient, at, { unsubscribes: 1 });
}

/** Changes the contact of a recipient where it has one of these statuses, and still this address; null where it does not. */
async function changeContact(
  work: Work,
  recipient: MailedRecipient,
  from: readonly MailContact['status'][],
  to: Pick<MailContact, 'status' | 'status_reason'>,
): Promise<MailContact | null> {
  const locked = await lockContactOf(work, recipient);
  const isTheirs = locked !== null && locked.email_key === recipient.email_key;
  if (!isTheirs || !from.includes(locked.contact.status)) return null;
  return changeLockedContact(work, locked, to);
}

/** The contact of a recipient, locked; null where it is erased. */
async function lockContactOf(work: Work, { contact_id }: MailedRecipient): Promise<LockedMailContact | null> {
  return contact_id === null ? null : lockMailContact(work, contact_id);
}

/** Whether mails of two other campaigns have bounced softly of late. */
async function isThirdSoftBounce(
  { connection, organization_id }: Work,
  { contact_id, campaign_id }: MailedRecipient,
  at: string,
): Promise<boolean> {
  if (contact_id === null) return false;
  const since = new Date(Date.parse(at) - SOFT_BOUNCE_TIME).toISOString();
  const [row] = await connection.query<{ others: number }>(
    `SELECT count(DISTINCT campaign_id)::integer AS others FROM mail_campaign_recipients
      WHERE organization_id = $1 AND contact_id = $2 AND bounce_at > $3 AND bounce_class = 'soft'
        AND campaign_id <> $4`,
    [organization_id, contact_id, since, campaign_id],
  );
  return row!.others >= SOFT_BOUNCES - 1;
}
