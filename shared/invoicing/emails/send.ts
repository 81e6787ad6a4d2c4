import type { Table, Work } from '../../kernel/work.ts';
import { createJob, type NewJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { type MailLimits, takeRecipients } from '../../platform/mailer/mail-limits.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { contextOf } from '../documents/context.ts';
import type { DocumentKind } from '../documents/kinds.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocument } from '../documents/rows.ts';
import type { Document } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { issueDocument } from '../issue.ts';
import { renderFailed } from '../pdf/prints.ts';
import { requireTransition } from '../transitions/allowed.ts';
import { askingIn } from '../transitions/standing.ts';
import { recordEmail } from './history.ts';
import type { DocumentEmailInput } from './input.ts';
import { documentMail } from './purpose.ts';
import { recipientsOf } from './recipients.ts';
import { wordsOf } from './words.ts';

const EMAILS: Table = { tableName: 'invoicing_emails' };

const emailJob: NewJob = { kind: 'invoicing.document.email', scope: 'invoicing:write', unit: null };

/**
 * Mails a document with its PDF. A draft that may be sent is issued by it, at once; an invoice counts as sent when the
 * mail server has taken the mail. Errors: `not_found`, `no_recipient`, `precondition_failed`, `invalid_transition`,
 * `rate_limited` beyond the recipients that the organization may mail.
 */
export async function sendDocumentEmail(
  work: Work,
  { kind, id }: { kind: DocumentKind; id: string },
  input: DocumentEmailInput,
  limits: MailLimits,
): Promise<{ document: Document; job: JobResource }> {
  const before = await lockDocument(work, kind, id);
  const recipients = await recipientsOf(work, before, input);
  work.precondition(before);
  const context = await contextOf(work);
  requireTransition(before, 'send-email', askingIn(context));
  const isDraft = before.status === 'draft';
  const sent_at = work.now.toISOString();
  const record = isDraft ? await issueDocument(work, before, { status: 'sent', sent_at }) : before;
  await takeRecipients(work, recipients.to.length + recipients.cc.length, limits);
  const is_waiting = isDraft || !(await hasPdf(work, id));
  const job = createJob(work, emailJob);
  const mail_id = addMail(work, {
    purpose: documentMail,
    about: { document_id: id, kind, job_id: job.id },
    locale: context.settings.locale,
  });
  work.insert(EMAILS, {
    mail_id,
    document_id: id,
    job_id: job.id,
    is_waiting,
    created_at: sent_at,
    ...recipients,
    ...wordsOf(record, context.settings, input),
  });
  if (!is_waiting) work.enqueue(sendMailJob, { mail_id }, { job_id: job.id });
  const { to } = recipients;
  recordEmail(work, { kind, id }, [before.email, { status: 'queued', to, last_error: null }]);
  return { document: documentOf(queued(record, to, sent_at), context), job };
}

function queued(record: DocumentRecord, to: string[], at: string): DocumentRecord {
  return { ...record, email: { status: 'queued', to, at, last_error: null } };
}

/**
 * Whether the PDF of an issued document is there; one that was given up is tried again. Its row is held until this
 * commits: who makes the PDF then finds the mail that waits for it.
 */
async function hasPdf(work: Work, document_id: string): Promise<boolean> {
  const [print] = await work.connection.query<{ status: string }>(
    'SELECT status FROM invoicing_prints WHERE organization_id = $1 AND document_id = $2 FOR SHARE',
    [work.organization_id, document_id],
  );
  if (print?.status === 'failed') await renderFailed(work, document_id);
  return print?.status === 'ready';
}
