import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { storedDocument } from '../documents/queries.ts';
import type { FileRow } from '../documents/rows.ts';
import { fileOfKind } from '../documents/shown.ts';
import { type GuestPdf, guestPdf } from '../redrawn/redrawn.ts';
import { addToTrail } from '../trail/add.ts';
import { entryOf } from './entry.ts';
import { lockForGuest, ownSigner } from './locked.ts';
import { type Guest, hashOfAccess, seenBy } from './seen.ts';
import { requireStanding } from './standing.ts';

/**
 * A file of the document for a guest with access: `pdf` is the upload with the values of those who have signed, later the sealed
 * one; `certificate` the second sealed file, where there is one. One that is not current is not to be shown: who reads it must see
 * what others wrote. Errors: `not_found`, and those of `requireStanding`.
 */
export async function fileForGuest(
  reader: Reader,
  guest: Guest,
  which: 'pdf' | 'certificate',
): Promise<GuestPdf> {
  const seen = await seenBy(reader, guest);
  requireStanding(seen, 'read', reader.now);
  const stored = await storedDocument(reader, seen.document_id);
  if (which === 'certificate') {
    const certificate = fileOfKind(stored.files, 'certificate');
    if (!certificate) throw notFound();
    return { file: certificate, is_current: true };
  }
  const pdf = await guestPdf(reader, stored);
  if (!pdf) throw notFound();
  return pdf;
}

/**
 * Notes in the trail that a guest takes a file, or is shown it on the page: once for an access and a version. Errors: `not_found`, and those of
 * `requireStanding`.
 */
export async function noteDownload(
  work: Work,
  guest: Guest,
  { kind, version, sha256, is_shown }: Pick<FileRow, 'kind' | 'version' | 'sha256'> & { is_shown: boolean },
): Promise<void> {
  work.nothingChanged();
  const { stored, seen } = await lockForGuest(work, guest, 'read');
  const noted = await work.connection.query(
    `UPDATE sign_accesses SET downloaded = downloaded || to_jsonb($3::text)
      WHERE organization_id = $1 AND token_hash = $2 AND NOT downloaded @> to_jsonb($3::text) RETURNING 1`,
    [work.organization_id, hashOfAccess(guest.access_token), `${kind} ${version}`],
  );
  if (noted.length === 0) return;
  const data = { version: kind, sha256, ...(is_shown && { shown: true }) };
  const entry = entryOf(guest, ownSigner(stored, seen), 'downloaded', data);
  addToTrail(work, stored.document, [entry]);
}
