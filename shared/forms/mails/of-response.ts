import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { receiptsOf, takeAttempt } from '../../platform/access/attempts.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import type { Submitted } from '../responses/submitted.ts';
import { languageOfSchema } from '../told/fields.ts';
import { noticeMail } from './notice.ts';
import { receiptMail } from './receipt.ts';

const MAILS = { tableName: 'forms_mails' };

type Kind = 'notice' | 'receipt';

/**
 * Puts the notices and the receipt of a response into the outbox, each once, where its form says so: a response that was spam
 * gets them when it turns out to be none. Nothing is read but for that, and for a receipt. Locks: the count of the receipt's mailbox.
 */
export async function mailsOfResponse(work: Work, submitted: Submitted): Promise<void> {
  const { settings, version, response } = submitted;
  const told = settings.notify.emails;
  const address = receiptAddress(submitted);
  if (told.length === 0 && address === null) return;
  const known = submitted.is_new ? NONE : await knownMails(work, response.id);
  const locale = languageOfSchema(version.schema_json);
  for (const email of told) {
    if (!known.sent('notice', email))
      queue(work, { kind: 'notice', email, locale, response_id: response.id });
  }
  if (address === null || known.sent('receipt', address)) return;
  // Anybody can type anybody's address: a mailbox gets few receipts a day, of all forms of the organization.
  const receipts = receiptsOf(work.organization_id, address);
  if ((await takeAttempt(work.connection, receipts, work.now)) > 0) return;
  queue(work, { kind: 'receipt', email: address, locale: response.locale, response_id: response.id });
}

function receiptAddress({ settings: { receipt_mail }, response }: Submitted): string | null {
  const { enabled, field_id } = receipt_mail;
  const answer = enabled && field_id !== null ? response.data[field_id] : null;
  return typeof answer === 'string' ? answer : null;
}

type Known = { sent(kind: Kind, email: string): boolean };

const NONE: Known = { sent: () => false };

/** What was asked for about the response. */
async function knownMails({ connection, organization_id }: Work, response_id: string): Promise<Known> {
  const rows = await connection.query<{ kind: Kind; email_key: string }>(
    'SELECT kind, email_key FROM forms_mails WHERE organization_id = $1 AND response_id = $2',
    [organization_id, response_id],
  );
  const sent = new Set(rows.map(({ kind, email_key }) => `${kind} ${email_key}`));
  return { sent: (kind, email) => sent.has(`${kind} ${emailKey(email)}`) };
}

function queue(
  work: Work,
  { kind, email, locale, response_id }: { kind: Kind; email: string; locale: Locale; response_id: string },
): void {
  const purpose = kind === 'notice' ? noticeMail : receiptMail;
  const mail_id = addMail(work, { purpose, about: { response_id }, locale });
  const created_at = work.now.toISOString();
  work.insert(MAILS, { mail_id, response_id, kind, email, email_key: emailKey(email), created_at });
  work.enqueue(sendMailJob, { mail_id });
}
