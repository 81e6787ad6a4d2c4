import type { Work } from '../../kernel/work.ts';
import type { MailEnding } from '../../platform/mailer/purpose.ts';
import type { StoredDocument } from '../documents/rows.ts';
import type { DueDocuments } from '../life/due.ts';
import { mailEnded } from './delivery.ts';

/** Mails whose delivery was given up before a try of it had ended: what follows from their end is made up. */
export const untoldEndings: DueDocuments = {
  find: `SELECT said.organization_id, said.document_id, mail.updated_at AS due_at
           FROM sign_mails AS said
           JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
          WHERE NOT said.is_ended AND mail.status IN ('failed', 'unknown') AND mail.updated_at <= $1`,
  fault: 'ends of mails could not be told',
  act: tell,
};

type Untold = { mail_id: string; status: 'failed' | 'unknown'; error: string | null };

async function tell(work: Work, { document }: StoredDocument): Promise<boolean> {
  const [untold] = await work.connection.query<Untold>(
    `SELECT said.mail_id, mail.status, mail.error
       FROM sign_mails AS said
       JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
      WHERE said.organization_id = $1 AND said.document_id = $2 AND NOT said.is_ended
        AND mail.status IN ('failed', 'unknown') ORDER BY said.position LIMIT 1`,
    [work.organization_id, document.id],
  );
  if (!untold) return false;
  const { mail_id, status, error } = untold;
  const ending: MailEnding = { status, error: error ?? 'The delivery was given up' };
  await mailEnded(work, { document_id: document.id, mail_id, ending });
  return true;
}
