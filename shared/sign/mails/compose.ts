import { fileStem } from '../../kernel/file-name.ts';
import type { Attachment, Letter } from '../../platform/mailer/letter.ts';
import type { Composing, Pointless } from '../../platform/mailer/purpose.ts';
import type { FileRow, SignerRow, StoredDocument } from '../documents/rows.ts';
import { hasAccessCode } from '../documents/words.ts';
import { linkOf } from '../links/links.ts';
import { pointless } from '../pointless-mails.ts';
import { drawCode } from './code.ts';
import { storedForMail } from './document.ts';
import { type Said, withLink } from './record.ts';
import { organizationName, type Sender, senderOf } from './sender.ts';
import { wordsOf } from './words.ts';

/** Bytes of files that go with a mail at most. */
const MOST_ATTACHED = 5 * 1024 * 1024;

/**
 * A mail about a document, written from what stands in it now: in the signer's language and zone to signers, in the sender's own to
 * the sender. The link and the digits of a code are made here; what is kept of them commits before the mail leaves.
 */
export async function letterOf(
  composing: Composing,
  document_id: string,
  said: Said,
): Promise<Letter | Pointless> {
  const { work, locale, connection, organization_id, now, base_url } = composing;
  const stored = await storedForMail(work, document_id);
  const signer = stored?.signers.find(({ id }) => id === said.signer_id) ?? null;
  if (!stored || !isWanted(stored, signer, said, now)) return { pointless: pointless.not_awaited };
  const { document } = stored;
  const sender = await senderOf(work, document);
  const addressee = addresseeOf(said, signer, sender);
  const code = said.kind === 'code' ? await drawCode(composing, said.told.code_id!) : null;
  if (!addressee || (said.kind === 'code' && code === null)) return { pointless: pointless.not_awaited };
  const attachments = said.kind === 'copy' ? attachedTo(stored, signer) : [];
  const { subject, paragraphs, label, notes } = wordsOf({
    kind: said.kind,
    reading: { locale, time_zone: signer?.time_zone ?? document.time_zone },
    reader: signer?.role ?? 'sender',
    name: addressee.name,
    organization: await organizationName(work),
    sender: sender?.name ?? null,
    title: document.title,
    message: document.message,
    expires_at: document.expires_at,
    has_access_code: signer !== null && hasAccessCode(signer.auth),
    is_attached: attachments.length > 0,
    code,
    told: said.told,
  });
  const making = { connection, now, base_url };
  const url =
    signer && withLink.has(said.kind) ? await linkOf(making, { organization_id, id: signer.id }) : null;
  if (signer && withLink.has(said.kind)) markSending(composing, signer);
  return {
    from_name: await organizationName(work),
    ...(signer && sender && { reply_to: sender.email }),
    to: [addressee],
    locale,
    subject,
    paragraphs,
    ...(url !== null && { action: { label, url } }),
    notes,
    attachments,
  };
}

/** Whether a mail still says something: nobody is asked for what they have done, or what is over. */
function isWanted(
  { document, signers }: StoredDocument,
  signer: SignerRow | null,
  { kind, signer_id, told }: Said,
  now: Date,
): boolean {
  if (told.is_overtaken || (signer_id !== null && signer === null)) return false;
  const isOpen = document.status === 'sent' && (document.expires_at ?? '9') > now.toISOString();
  switch (kind) {
    case 'invitation':
    case 'reminder':
      return isOpen && isAsked(signer);
    case 'warning':
      return isOpen && (signer ? isAsked(signer) : signers.some(isAsked));
    case 'copy':
      return document.status === 'signed';
    case 'seal_failed':
      return document.sealing_status === 'failed';
    default:
      return true;
  }
}

function isAsked(signer: SignerRow | null): boolean {
  return signer?.status === 'notified' || signer?.status === 'viewed';
}

function addresseeOf({ signer_id }: Said, signer: SignerRow | null, sender: Sender | null) {
  if (signer_id === null) return sender && { name: sender.name, address: sender.email };
  return signer?.email ? { name: signer.name ?? signer.email, address: signer.email } : null;
}

/** The sealed files, where they are small enough and nobody needs an access code to read them. */
function attachedTo({ document, files }: StoredDocument, signer: SignerRow | null): Attachment[] {
  if (signer && hasAccessCode(signer.auth)) return [];
  const sealed = files.filter(
    ({ kind, is_present }) => is_present && (kind === 'signed' || kind === 'certificate'),
  );
  const bytes = sealed.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > MOST_ATTACHED) return [];
  return sealed.map(({ kind, storage_key }: FileRow) => ({
    file_name: `${fileStem(document.title) || 'document'}${kind === 'certificate' ? '-certificate' : ''}.pdf`,
    media_type: 'application/pdf',
    storage_key,
  }));
}

/** A worker has the mail in hand from now on. */
function markSending({ work, organization_id }: Composing, { id }: SignerRow): void {
  work.run(`UPDATE sign_signers SET delivery = 'sending' WHERE organization_id = $1 AND id = $2`, [
    organization_id,
    id,
  ]);
}
