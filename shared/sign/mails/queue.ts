import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import type { DocumentRow, SignerRow } from '../documents/rows.ts';
import { recipientsInWait } from './order.ts';
import { type MailKind, namedAs, SIGN_MAILS, type Told } from './record.ts';
import { senderOf } from './sender.ts';

/** To whom a mail goes. */
type Recipient = Pick<SignerRow, 'id' | 'locale'> | 'sender';

/** A mail before it has an ID. */
export type MailDraft = { kind: MailKind; to: Recipient; told?: Told };

/**
 * Asks for mails about a document, which the work has locked. Each is sent after the commit, and after the earlier ones to the
 * same recipient. What is for a sender who has left is dropped.
 */
export async function mailAll(
  work: Work,
  document: Pick<DocumentRow, 'id' | 'created_by'>,
  drafts: readonly MailDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const inWait = await recipientsInWait(work, document.id);
  const sender = drafts.some(({ to }) => to === 'sender') ? await senderOf(work, document) : null;
  const rows = drafts.flatMap(({ kind, to, told = {} }) => {
    const locale = to === 'sender' ? sender?.locale : to.locale;
    if (locale === undefined) return [];
    const signer_id = to === 'sender' ? null : to.id;
    const about = { document_id: document.id };
    const mail_id = addMail(work, { purpose: namedAs(kind), about, locale });
    const is_waiting = kind !== 'code' && inWait.has(signer_id);
    inWait.add(signer_id);
    return [{ mail_id, document_id: document.id, signer_id, kind, told, is_waiting }];
  });
  work.insertAll(SIGN_MAILS, rows);
  for (const { mail_id, is_waiting } of rows) {
    if (!is_waiting) work.enqueue(sendMailJob, { mail_id });
  }
}

/** Asks for one mail, as `mailAll`. A `code` names its row in `told.code_id`: who sends it draws the digits. */
export function mailTo(
  work: Work,
  document: Pick<DocumentRow, 'id' | 'created_by'>,
  draft: MailDraft,
): Promise<void> {
  return mailAll(work, document, [draft]);
}
