import type { Work } from '../../kernel/work.ts';
import type { MailEnding } from '../../platform/mailer/purpose.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { pointless } from '../pointless-mails.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';
import { storedForMail } from './document.ts';
import { endMail } from './order.ts';
import { mailTo } from './queue.ts';
import { type Said, saidBy, withLink } from './record.ts';

type Ended = { document_id: string; mail_id: string; ending: MailEnding };

/** The longest words of a mail server that a signer shows. */
const LONGEST_ERROR = 500;

/**
 * What follows from the end of a mail: the signer shows how it ended, and where it failed, or nobody knows, the sender is told. The
 * document is locked first, so that who adds a mail sees the end or waits for it.
 */
export async function mailEnded(work: Work, { document_id, mail_id, ending }: Ended): Promise<void> {
  const stored = await storedForMail(work, document_id);
  const said = await saidBy(work, mail_id);
  const isLatest = await isLatestWithLink(work, mail_id);
  await endMail(work, mail_id);
  const signer = stored?.signers.find(({ id }) => id === said.signer_id);
  if (!stored || !signer) return;
  if (said.kind === 'code') await codeEnded(work, stored, signer, ending);
  else if (withLink.has(said.kind) && isLatest) await linkEnded(work, stored, signer, { said, ending });
}

async function codeEnded(
  work: Work,
  stored: StoredDocument,
  { id }: SignerRow,
  ending: MailEnding,
): Promise<void> {
  if (ending.error === pointless.not_awaited.en) return;
  const after = draftOf(stored);
  const type = ending.status === 'sent' ? ('otp_sent' as const) : ('delivery_failed' as const);
  const data = ending.status === 'sent' ? {} : { mail: 'code', outcome: ending.status };
  addToTrail(work, after.document, [{ type, actor: SYSTEM, signer_id: id, data }]);
}

async function linkEnded(
  work: Work,
  stored: StoredDocument,
  { id }: SignerRow,
  { said, ending }: { said: Said; ending: MailEnding },
): Promise<void> {
  const after = draftOf(stored);
  const signer = after.signers.find((one) => one.id === id)!;
  if (ending.error === pointless.not_awaited.en) {
    signer.delivery = 'none';
  } else {
    signer.delivery = ending.status;
    signer.delivery_error = ending.error?.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_ERROR) ?? null;
  }
  if (ending.error !== pointless.not_awaited.en && ending.status !== 'sent') {
    if (ending.status === 'failed') signer.next_reminder_at = null;
    const data = { mail: said.kind, outcome: ending.status };
    addToTrail(work, after.document, [{ type: 'delivery_failed', actor: SYSTEM, signer_id: id, data }]);
    if (isWaitedFor(after.document)) {
      const { name, email } = signer;
      const told = { name, email, outcome: ending.status };
      await mailTo(work, after.document, { kind: 'undelivered', to: 'sender', told });
    }
  }
  documentChanged(work, stored, after);
}

/** Whether the sender can still do something about a mail that did not arrive. */
function isWaitedFor({ status }: StoredDocument['document']): boolean {
  return status === 'sent' || status === 'signed';
}

/** Whether a mail is the last one with a link that its signer was to get. */
async function isLatestWithLink({ connection, organization_id }: Work, mail_id: string): Promise<boolean> {
  const [found] = await connection.query<{ is_latest: boolean }>(
    `SELECT NOT EXISTS (
       SELECT FROM sign_mails AS later
        WHERE later.organization_id = said.organization_id AND later.document_id = said.document_id
          AND later.signer_id = said.signer_id AND later.position > said.position AND later.kind = ANY ($3)
     ) AS is_latest
     FROM sign_mails AS said WHERE said.organization_id = $1 AND said.mail_id = $2`,
    [organization_id, mail_id, [...withLink]],
  );
  return found?.is_latest ?? false;
}
