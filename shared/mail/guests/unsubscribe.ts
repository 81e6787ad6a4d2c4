import { invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { unsubscribeRecipient } from '../bounces/changes.ts';
import { lockRecipient, type MailedRecipient } from '../bounces/recipients.ts';
import { type LockedMailContact, lockContactOfRecipient } from '../contacts/queries.ts';
import { endMemberships } from '../lists/members.ts';
import { isTest } from './recipient.ts';

/** How somebody unsubscribed: by the button of their mail program, or of the page. */
export type UnsubscribedBy = 'one_click' | 'page';

/**
 * Stops all mail to the holder of a link, at this commit; again it changes nothing, and of a test mail nothing at all. Locks: the
 * recipient, the contact, its lists or the suppression, the counts.
 */
export async function unsubscribeAll(work: Work, record_id: string, by: UnsubscribedBy): Promise<void> {
  work.nothingChanged();
  if (isTest(record_id)) return;
  const { recipient, locked } = await lockGuest(work, record_id);
  await unsubscribeRecipient(work, recipient, { reason: by, at: work.now.toISOString(), locked });
}

/**
 * Stops the mail of lists to the holder of a link: each membership stays, with the time at which it was left. Errors:
 * `validation_failed` at /list_ids/N for a list that they are not in. Locks: the recipient, the contact, the lists.
 */
export async function leaveLists(work: Work, record_id: string, list_ids: readonly string[]): Promise<void> {
  work.nothingChanged();
  if (isTest(record_id)) return;
  const { recipient, locked } = await lockGuest(work, record_id);
  const isTheirs = locked !== null && locked.email_key === recipient.email_key;
  const unknown = isTheirs ? await endMemberships(work, locked.contact, list_ids) : list_ids;
  if (unknown.length === 0) return;
  throw invalid(`/list_ids/${list_ids.indexOf(unknown[0]!)}`, 'not_offered', {
    en: 'is not a list that you are in',
    ja: 'には、登録されているリストを指定してください',
  });
}

/** Locks a recipient, then its contact, in one trip. Errors: `not_found`. */
async function lockGuest(
  work: Work,
  recipient_id: string,
): Promise<{ recipient: MailedRecipient; locked: LockedMailContact | null }> {
  const [recipient, locked] = await Promise.all([
    lockRecipient(work, recipient_id),
    lockContactOfRecipient(work, recipient_id),
  ]);
  return { recipient, locked };
}
