import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { SignerRow } from '../documents/rows.ts';

/*
 * The mails of a document to one recipient leave in the order of its changes: each waits until the one before has ended, be it
 * sent, failed or unknown. A code waits for none, since somebody does for it. Who adds a mail and who ends one lock the document.
 */

/** An earlier mail of the same document to the same recipient, which has not ended. */
const EARLIER = `EXISTS (
  SELECT FROM sign_mails AS earlier
    JOIN mails AS mail ON mail.organization_id = earlier.organization_id AND mail.id = earlier.mail_id
   WHERE earlier.organization_id = said.organization_id AND earlier.document_id = said.document_id
     AND earlier.signer_id IS NOT DISTINCT FROM said.signer_id AND earlier.position < said.position
     AND earlier.kind <> 'code' AND NOT earlier.is_ended AND mail.status IN ('queued', 'sending'))`;

/** The recipients (null: the sender) who have yet to get an earlier mail about a document. */
export async function recipientsInWait(
  { connection, organization_id }: Work,
  document_id: string,
): Promise<Set<string | null>> {
  const rows = await connection.query<{ signer_id: string | null }>(
    `SELECT DISTINCT said.signer_id FROM sign_mails AS said
       JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
      WHERE said.organization_id = $1 AND said.document_id = $2 AND said.kind <> 'code' AND NOT said.is_ended
        AND mail.status IN ('queued', 'sending')`,
    [organization_id, document_id],
  );
  return new Set(rows.map(({ signer_id }) => signer_id));
}

/** Notes the end of a mail of a locked document, and lets the next ones to its recipient go. */
export async function endMail(work: Work, mail_id: string): Promise<void> {
  const { connection, organization_id } = work;
  const [ended] = await connection.query<{ document_id: string; signer_id: string | null }>(
    `UPDATE sign_mails SET is_ended = true, is_waiting = false WHERE organization_id = $1 AND mail_id = $2
     RETURNING document_id, signer_id`,
    [organization_id, mail_id],
  );
  if (!ended) return;
  const released = await connection.query<{ mail_id: string }>(
    `UPDATE sign_mails AS said SET is_waiting = false
      WHERE said.organization_id = $1 AND said.document_id = $2 AND said.signer_id IS NOT DISTINCT FROM $3
        AND said.is_waiting AND NOT ${EARLIER}
      RETURNING said.mail_id`,
    [organization_id, ended.document_id, ended.signer_id],
  );
  for (const { mail_id: next } of released) work.enqueue(sendMailJob, { mail_id: next });
}

/** Makes pointless what a signer was to get and has not left: it would go to who signs in their place, beside their own mail. */
export function overtakeMails(work: Work, { id, document_id }: Pick<SignerRow, 'id' | 'document_id'>): void {
  work.run(
    `UPDATE sign_mails SET told = told || '{"is_overtaken": true}'
      WHERE organization_id = $1 AND document_id = $2 AND signer_id = $3 AND NOT is_ended`,
    [work.organization_id, document_id, id],
  );
}

/** Those of the mails whose delivery is not asked for yet. */
export async function waitingMails(
  { connection, organization_id }: Work,
  mail_ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ mail_id: string }>(
    `SELECT said.mail_id FROM sign_mails AS said
      WHERE said.organization_id = $1 AND said.mail_id = ANY ($2) AND said.is_waiting AND ${EARLIER}`,
    [organization_id, mail_ids],
  );
  return rows.map(({ mail_id }) => mail_id);
}
