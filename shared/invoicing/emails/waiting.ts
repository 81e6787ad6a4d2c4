import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';
import { failJob } from '../../platform/jobs/operations.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { giveUpMail } from '../../platform/mailer/record.ts';
import type { DocumentKind } from '../documents/kinds.ts';
import { recordEmailEnd } from './history.ts';

type Waiting = { mail_id: string; job_id: string; kind: DocumentKind };

/** The PDF of a document is there: the mails that waited for it are sent, once this commits. */
export async function releaseWaitingMails(work: Work, document_id: string): Promise<void> {
  for (const { mail_id, job_id } of await takeWaiting(work, document_id)) {
    work.enqueue(sendMailJob, { mail_id }, { job_id });
  }
}

/** The PDF could not be made: the mails that waited for it have failed with that reason. */
export async function failWaitingMails(
  work: Work,
  document_id: string,
  error: { code: string; message: string },
): Promise<void> {
  for (const { mail_id, job_id, kind } of await takeWaiting(work, document_id)) {
    const { text, values } = giveUpMail(mail_id, { now: work.now, error: error.message });
    work.run(text, [work.organization_id, ...values]);
    await failJob(work, job_id, error);
    const ending = { status: 'failed', error: error.message } as const;
    await recordEmailEnd(work, { kind, id: document_id, job_id }, ending);
  }
}

/** The mail has ended before its document's PDF was there, which releases nothing any more. */
export function stopWaiting(work: Work, { document_id, job_id }: { document_id: string; job_id: string }) {
  work.run(
    `UPDATE invoicing_emails SET is_waiting = false
      WHERE organization_id = $1 AND document_id = $2 AND job_id = $3 AND is_waiting`,
    [work.organization_id, document_id, job_id],
  );
}

function takeWaiting({ connection, organization_id }: Work, document_id: string): Promise<Waiting[]> {
  return connection.query<Waiting>(
    `UPDATE invoicing_emails AS email SET is_waiting = false
       FROM invoicing_documents AS document
      WHERE email.organization_id = $1 AND email.document_id = $2 AND email.is_waiting
        AND document.organization_id = $1 AND document.id = $2
      RETURNING email.mail_id, email.job_id, document.kind`,
    [organization_id, document_id],
  );
}

/** Those of the mails that wait for their document's PDF. */
export async function waitingMails(
  { connection, organization_id }: Work,
  mail_ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ mail_id: string }>(
    `SELECT mail_id FROM invoicing_emails WHERE organization_id = $1 AND mail_id = ${oneOf('$2')} AND is_waiting`,
    [organization_id, mail_ids],
  );
  return rows.map(({ mail_id }) => mail_id);
}

/** Those of the jobs whose mail waits for its document's PDF. */
export async function waitingJobs(
  { connection, organization_id }: Work,
  job_ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ job_id: string }>(
    `SELECT job_id FROM invoicing_emails WHERE organization_id = $1 AND job_id = ${oneOf('$2')} AND is_waiting`,
    [organization_id, job_ids],
  );
  return rows.map(({ job_id }) => job_id);
}
