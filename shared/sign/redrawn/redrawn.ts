import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { keepFile, releaseFile } from '../../platform/storage/loose-files.ts';
import type { Written } from '../../platform/storage/storage.ts';
import { documentForUpdate, storedDocument } from '../documents/queries.ts';
import { type FileRow, fileColumns, SignFileModel, type StoredDocument } from '../documents/rows.ts';
import { fileOfKind, shownValue } from '../documents/shown.ts';
import type { DrawingOrder, PlacedValue } from '../pdf/types.ts';
import { hashOfValues } from '../values/hash.ts';

/** What is drawn for guests: the upload, and the values of those who have signed, by their hash. */
export type Redrawing = {
  original: FileRow;
  values_sha256: string;
  drawing: Pick<DrawingOrder, 'fields' | 'values' | 'is_signed'>;
};

/** A file for guests. `is_current`: it has the values of all who have signed; else a worker is still at it, and tells of it. */
export type GuestPdf = { file: FileRow; is_current: boolean };

const REDRAWN = `SELECT ${fileColumns.join(', ')} FROM sign_files
  WHERE organization_id = $1 AND document_id = $2 AND kind = 'redrawn' ORDER BY version`;

/**
 * The PDF that a guest sees: the sealed one, else the upload with the values of those who have signed; null without an upload.
 * While the last values are being drawn it is the one before, which `is_current` tells.
 */
export async function guestPdf(reader: Reader, stored: StoredDocument): Promise<GuestPdf | null> {
  const signed = fileOfKind(stored.files, 'signed');
  if (signed) return { file: signed, is_current: true };
  const asked = redrawingOf(stored);
  if (!asked) {
    const original = fileOfKind(stored.files, 'original');
    return original && { file: original, is_current: true };
  }
  const drawn = await redrawnFiles(reader, stored.document.id);
  const file = drawn.find(({ values_sha256 }) => values_sha256 === asked.values_sha256);
  return file ? { file, is_current: true } : { file: drawn.at(-1) ?? asked.original, is_current: false };
}

/** What a worker is to draw of a document; null where nothing is, or it is drawn. Errors: `not_found`. */
export async function redrawingToMake(reader: Reader, document_id: string): Promise<Redrawing | null> {
  const stored = await storedDocument(reader, document_id);
  const asked = isOpen(stored) ? redrawingOf(stored) : null;
  if (!asked) return null;
  const drawn = await redrawnFiles(reader, document_id);
  return drawn.some(({ values_sha256 }) => values_sha256 === asked.values_sha256) ? null : asked;
}

/**
 * Keeps a drawn file as what guests see, and lets those before it go. Where somebody signed meanwhile, or another try was first,
 * it changes nothing: a later job draws, and a sweep removes the file. Errors: `not_found`.
 */
export async function settleRedrawing(
  work: Work,
  document_id: string,
  { original, values_sha256 }: Redrawing,
  file: Written & { storage_key: string },
): Promise<void> {
  const stored = await documentForUpdate(work, document_id);
  const drawn = await redrawnFiles(work, document_id);
  const isWanted = isOpen(stored) && redrawingOf(stored)?.values_sha256 === values_sha256;
  if (!isWanted || drawn.some((each) => each.values_sha256 === values_sha256)) return;
  await keepFile(work, file.storage_key);
  removeRedrawn(work, document_id, drawn);
  work.insert(SignFileModel, {
    ...original,
    kind: 'redrawn',
    version: (drawn.at(-1)?.version ?? 0) + 1,
    storage_key: file.storage_key,
    size_bytes: file.size,
    sha256: file.sha256,
    geometry: null,
    values_sha256,
    created_at: work.now.toISOString(),
  });
  tellOfFile(work, document_id);
}

/** Tells at the commit those who wait for the PDF that guests see: they watch the document. */
export function tellOfFile(work: Work, document_id: string): void {
  work.run("SELECT pg_notify('jobs', $1)", [document_id]);
}

/** The files that were drawn for guests, in their order. */
export async function redrawnFiles(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  document_id: string,
): Promise<FileRow[]> {
  return connection.query<FileRow>(REDRAWN, [organization_id, document_id]);
}

/** Lets files go that were drawn for guests: newer values, or the sealed file, take their place. */
export function removeRedrawn(work: Work, document_id: string, drawn: readonly FileRow[]): void {
  if (drawn.length === 0) return;
  work.run(
    `DELETE FROM sign_files WHERE organization_id = $1 AND document_id = $2 AND kind = 'redrawn'
        AND version = ANY ($3)`,
    [work.organization_id, document_id, drawn.map(({ version }) => version)],
  );
  for (const { storage_key } of drawn) releaseFile(work, storage_key);
}

function isOpen({ document }: StoredDocument): boolean {
  return document.status === 'sent';
}

/** Null while nobody has signed, and without an upload: then there is nothing to draw. */
function redrawingOf({ signers, fields, files }: StoredDocument): Redrawing | null {
  const original = fileOfKind(files, 'original');
  const signed = new Set(signers.filter(({ status }) => status === 'signed').map(({ id }) => id));
  const drawn = fields.filter(({ signer_id }) => signed.has(signer_id));
  if (!original || signed.size === 0) return null;
  const valued = drawn.map((field) => ({ id: field.id, value: shownValue(field) }));
  const values = Object.fromEntries(valued.map(({ id, value }) => [id, value as PlacedValue | null]));
  return {
    original,
    values_sha256: hashOfValues(valued),
    drawing: { fields: drawn, values, is_signed: original.has_signatures },
  };
}
