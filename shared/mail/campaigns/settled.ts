import type { Work } from '../../kernel/work.ts';
import type { MailedRecipient } from '../bounces/recipients.ts';
import { noteLastSent } from '../contacts/last-sent.ts';

/** What becomes of the row: a mail that is answered, or opened by a person, was sent, even where nobody knew. */
export function settled(work: Work, recipient: MailedRecipient, at: string) {
  const updated_at = work.touch(recipient);
  if (recipient.status !== 'unknown') return { updated_at };
  return { updated_at, status: 'sent', reason: null, sent_at: recipient.sent_at ?? at };
}

/** What the counts of its campaign make of that. */
export function settledCounts({ status, tracked }: Pick<MailedRecipient, 'status' | 'tracked'>) {
  return status === 'unknown' ? { unknown: -1, sent: 1, sent_tracked: tracked ? 1 : 0 } : {};
}

/** The contact was sent a mail of which nobody knew. */
export async function noteIfSent(work: Work, { status, contact_id, sent_at }: MailedRecipient, at: string) {
  if (status === 'unknown' && contact_id !== null) await noteLastSent(work, [contact_id], sent_at ?? at);
}
