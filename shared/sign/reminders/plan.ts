import type { Reader } from '../../kernel/reader.ts';
import type { DocumentRow, SignerRow, StoredDocument } from '../documents/rows.ts';
import { isActing, isAsked } from '../life/turn.ts';
import { nextReminder } from './dates.ts';
import { holidaysFromNow } from './holidays.ts';

/**
 * Plans the next reminder of signers of a draft, whose rows are changed: of all who are asked. To be called when somebody was
 * asked or reminded, and when the rules or the expiry have changed. After a failed delivery there is none.
 */
export async function planReminders(
  reader: Reader,
  { document, signers }: Pick<StoredDocument, 'document' | 'signers'>,
): Promise<void> {
  const isHoliday = await holidaysFromNow(reader);
  for (const signer of signers) signer.next_reminder_at = reminderOf(document, signer, isHoliday);
}

function reminderOf(
  { reminders, expires_at, status }: Pick<DocumentRow, 'reminders' | 'expires_at' | 'status'>,
  signer: SignerRow,
  isHoliday: (date: string) => boolean,
): string | null {
  const { notified_at, reminded_at, reminders_sent, time_zone, delivery } = signer;
  if (status !== 'sent' || !isActing(signer) || !isAsked(signer) || notified_at === null) return null;
  if (delivery === 'failed') return null;
  const reminding = { rules: reminders, notified_at, reminded_at, reminders_sent, time_zone, expires_at };
  return nextReminder(reminding, isHoliday);
}
