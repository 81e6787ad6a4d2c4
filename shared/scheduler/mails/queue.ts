import type { z } from 'zod';
import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import type { Purpose } from '../../platform/mailer/purpose.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { openMails } from './order.ts';
import { SCHEDULER_MAILS } from './record.ts';
import type { Recipient, Told } from './told.ts';

/** A mail of the scheduler before it has an ID. */
export type Draft<About extends z.ZodType = z.ZodType> = {
  purpose: Purpose<About>;
  about: z.input<About>;
  /** The booking or session whose mails leave in their order. */
  record_id: string;
  /** Whether that record was made by the same work, so that no earlier mail can be about it. */
  is_new: boolean;
  recipient: Recipient;
  locale: Locale;
  told: Told;
  /** Until when it waits for what others have to bring first; null: for nothing. */
  waits_until: string | null;
};

/** Asks for mails. Each is sent after the commit, and after the earlier ones of its record to the same recipient. */
export async function queueDrafts(work: Work, drafts: readonly Draft[]): Promise<void> {
  const known = drafts.filter(({ is_new }) => !is_new).map(({ record_id }) => record_id);
  const isOpen = await openMails(work, [...new Set(known)]);
  const rows = drafts.map(({ purpose, about, locale, record_id, recipient, told, waits_until }) => {
    const mail_id = addMail(work, { purpose, about, locale });
    const is_waiting = waits_until !== null || isOpen(record_id, recipient);
    return { mail_id, record_id, recipient, told, is_waiting, waits_until };
  });
  work.insertAll(SCHEDULER_MAILS, rows);
  for (const { mail_id, is_waiting } of rows) {
    if (!is_waiting) work.enqueue(sendMailJob, { mail_id });
  }
}
