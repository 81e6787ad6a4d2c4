import type { Database } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { documentChanged } from '../../shared/sign/documents/changes.ts';
import { draftOf } from '../../shared/sign/documents/draft.ts';
import { documentForUpdate } from '../../shared/sign/documents/queries.ts';
import { notifyGroup } from '../../shared/sign/life/notify.ts';
import { storedDraft } from './stored-signing.ts';

type Which = { organization_id: string; id: string; now: Date };

/** Sends a draft as it was sent at a time, past the key of the seal. */
export async function askAt(database: Database, { organization_id, id, now }: Which): Promise<void> {
  await database.withConnection(organization_id, (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      async (work) => {
        const stored = await documentForUpdate(work, id);
        const draft = draftOf(stored);
        Object.assign(draft.document, { status: 'sent', sent_at: now.toISOString() });
        await notifyGroup(work, draft);
        documentChanged(work, stored, draft, 'sent');
      },
    ),
  );
}

type Owner = { organization_id: string; user_id: string };

/** Documents that were sent at a time, with so many signers each, whose invitations have left: a reminder is due by now. */
export async function openSigners(
  database: Database,
  { organization_id, user_id }: Owner,
  { documents, signers, now }: { documents: number; signers: number; now: Date },
): Promise<void> {
  for (let number = 0; number < documents; number += 1) {
    const asked = Array.from({ length: signers }, () => ({}));
    const { id } = await storedDraft({ database }, { organization_id, user_id, signers: asked, now });
    await askAt(database, { organization_id, id, now });
  }
  await database.withConnection(organization_id, async ({ query }) => {
    const own = [organization_id];
    await query("UPDATE mails SET status = 'sent' WHERE organization_id = $1", own);
    await query('UPDATE sign_mails SET is_ended = true WHERE organization_id = $1', own);
    await query("UPDATE sign_signers SET delivery = 'sent' WHERE organization_id = $1", own);
    await query('DELETE FROM outbox WHERE organization_id = $1', own);
  });
}

/** How each reminder that was asked for ended, and to whom it went. */
export type EndedReminder = { status: string; delivery: string; email: string; needs_attention: boolean };

/** The reminders of an organization, once all mails have ended. */
export function endedReminders(database: Database, organization_id: string): Promise<EndedReminder[]> {
  return database.withConnection(organization_id, ({ query }) =>
    query<EndedReminder>(
      `SELECT mail.status, signer.delivery, signer.email, document.needs_attention
         FROM sign_mails AS said
         JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
         JOIN sign_signers AS signer ON signer.organization_id = said.organization_id AND signer.id = said.signer_id
         JOIN sign_documents AS document ON document.organization_id = said.organization_id AND document.id = said.document_id
        WHERE said.organization_id = $1 AND said.kind = 'reminder'`,
      [organization_id],
    ),
  );
}
