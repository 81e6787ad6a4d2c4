import { maskedEmail } from '../../kernel/masked-email.ts';
import type { Reader } from '../../kernel/reader.ts';
import { storedDocument } from '../documents/queries.ts';
import type { Field } from '../documents/record.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { fieldOf, fileOfKind, shownValue } from '../documents/shown.ts';
import { hashOfValues } from '../values/hash.ts';
import { consentAt } from './consent.ts';
import type { Signing } from './record.ts';
import { type Guest, type Seen, seenBy } from './seen.ts';
import { isLocked } from './tries.ts';

/** A document as a guest sees it by the link; the rest with access alone. It changes nothing. Errors: `not_found`. */
export async function signingOf(reader: Reader, guest: Guest): Promise<Signing> {
  const seen = await seenBy(reader, guest);
  const stored = seen.has_access ? await storedDocument(reader, seen.document_id) : null;
  return shownTo(seen, stored, reader.now);
}

/** The same of a document that was read: null for what is told without access. */
export function shownTo(seen: Seen, stored: StoredDocument | null, now: Date): Signing {
  const { id, role, status } = seen;
  return {
    object: 'sign.signing',
    title: seen.title,
    status: seen.document_status as Signing['status'],
    cancel_reason: seen.cancel_reason,
    sender_name: seen.sender_name ?? seen.organization_name,
    organization_name: seen.organization_name,
    signer: { id, name: seen.name ?? '', email: maskedEmail(seen.email ?? ''), role, status },
    auth: seen.auth,
    access: stored ? 'granted' : isLocked(seen, now) ? 'locked' : 'none',
    expires_at: seen.expires_at,
    ...(stored && grantedOf(stored, seen, now)),
  };
}

function grantedOf(stored: StoredDocument, { id, locale }: Seen, now: Date) {
  const { document, files } = stored;
  const { version, text } = consentAt(now);
  const { file_name, size_bytes, sha256, page_count, has_signatures } = fileOfKind(files, 'original')!;
  return {
    message: document.message,
    allow_forward: document.allow_forward,
    file: { file_name, size_bytes, sha256, page_count, has_signatures },
    fields: fieldsFor(stored, id),
    values_sha256: hashOfSigned(stored, signedIn(stored.signers)),
    consent: { version, text: text[locale] },
  };
}

/** The fields that a signer sees: their own, and those of all who have signed. */
function fieldsFor({ signers, fields }: StoredDocument, signer_id: string): Field[] {
  const seen = new Set([signer_id, ...signedIn(signers)]);
  return fields.filter((field) => seen.has(field.signer_id)).map(fieldOf);
}

/** The IDs of those who have signed. */
export function signedIn(signers: readonly Pick<SignerRow, 'id' | 'status'>[]): string[] {
  return signers.filter(({ status }) => status === 'signed').map(({ id }) => id);
}

/** The hash of what is shown of the values of these signers. */
export function hashOfSigned(
  { fields }: Pick<StoredDocument, 'fields'>,
  signer_ids: readonly string[],
): string {
  const chosen = fields.filter(({ signer_id }) => signer_ids.includes(signer_id));
  return hashOfValues(chosen.map((field) => ({ id: field.id, value: shownValue(field) })));
}
