import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { failJob, startJob, succeedJob } from '../../platform/jobs/operations.ts';
import { jobRow } from '../../platform/jobs/queries.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { documentKinds } from '../documents/kinds.ts';
import { lockDocument } from '../documents/rows.ts';
import { pointless } from '../pointless-mails.ts';
import { settingsOf } from '../settings/queries.ts';
import { invoiceSent } from '../transitions/send.ts';
import { recordEmailEnd } from './history.ts';
import { stopWaiting, waitingMails } from './waiting.ts';

const About = z.strictObject({ document_id: z.string(), kind: z.enum(documentKinds), job_id: id('job') });

type Email = {
  to: string[];
  cc: string[];
  subject: string;
  message: string;
  status: string;
  issuer_name: string | null;
  storage_key: string | null;
  file_name: string;
};

const FIND = `SELECT email."to", email.cc, email.subject, email.message,
    document.status, document.issuer_name,
    print.storage_key, print.file_name
  FROM invoicing_emails AS email
  JOIN invoicing_documents AS document ON document.organization_id = $1 AND document.id = email.document_id
  JOIN invoicing_prints AS print ON print.organization_id = $1 AND print.document_id = email.document_id
 WHERE email.organization_id = $1 AND email.mail_id = $2`;

/** A document for a customer or a supplier, with its PDF. Who asked for it may follow and cancel its job. */
export const documentMail = purpose({
  name: 'invoicing.document',
  title: { en: 'Document with its PDF', ja: '書類の送付（PDF）' },
  about: About,
  compose: async ({ job_id }, { work, mail_id, locale }) => {
    const job = await jobRow(work, job_id, { lock: true });
    if (job.status === 'cancelled') return { pointless: pointless.cancelled };
    const [email] = await work.connection.query<Email>(FIND, [work.organization_id, mail_id]);
    if (email?.status === 'cancelled') return { pointless: pointless.document_cancelled };
    if (!email?.storage_key) return { pointless: pointless.no_pdf };
    await startJob(work, job_id);
    const { issuer_name, reply_to } = await settingsOf(work);
    return {
      from_name: email.issuer_name ?? issuer_name,
      ...(reply_to !== null && { reply_to }),
      to: email.to.map((address) => ({ address })),
      cc: email.cc.map((address) => ({ address })),
      locale,
      subject: email.subject,
      paragraphs: [email.message],
      attachments: [
        { file_name: email.file_name, media_type: 'application/pdf', storage_key: email.storage_key },
      ],
    };
  },
  ended: async ({ document_id, kind, job_id }, work, ending) => {
    await recordEmailEnd(work, { kind, id: document_id, job_id }, ending);
    if (ending.status !== 'sent') {
      stopWaiting(work, { document_id, job_id });
      return failJob(work, job_id, { code: `mail_${ending.status}`, message: ending.error });
    }
    await succeedJob(work, job_id, { document_id });
    if (kind === 'invoice') await markSent(work, document_id);
  },
  jobOf: ({ job_id }) => job_id,
  waiting: waitingMails,
});

/** An invoice counts as sent from its first mail on, unless it was sent in another way before. */
async function markSent(work: Work, document_id: string): Promise<void> {
  const invoice = await lockDocument(work, 'invoice', document_id);
  if (invoice.status !== 'cancelled') await invoiceSent(work, invoice);
}
