import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { FileSource } from '../../platform/file-sources/source.ts';
import type { StoredFile } from '../../platform/storage/stored-file.ts';
import { storedDocument } from './queries.ts';
import type { FileRow } from './rows.ts';
import { fileOfKind } from './shown.ts';

/** A file of a document as it is handed out. */
type DocumentFile = StoredFile & { created_at: string };

/**
 * The sealed file of a document, or the upload; where nothing is said, the sealed one once it is there. Errors: `not_found`, also
 * where there is no such file.
 */
export async function documentFile(
  reader: Reader,
  id: string,
  version?: 'signed' | 'original',
): Promise<DocumentFile> {
  const { files } = await storedDocument(reader, id);
  const signed = version === 'original' ? null : fileOfKind(files, 'signed');
  const file = signed ?? (version === 'signed' ? null : fileOfKind(files, 'original'));
  return handedOut(file);
}

/** The second sealed file, with certificate and trail, of a document whose upload came with signatures. Errors: `not_found`. */
export async function certificateFile(reader: Reader, id: string): Promise<DocumentFile> {
  const { files } = await storedDocument(reader, id);
  return handedOut(fileOfKind(files, 'certificate'));
}

/** What others copy of a document. */
export const signDocumentSource: FileSource = {
  type: 'sign_document',
  prefix: 'doc',
  scope: 'sign:read',
  content: async (reader, id) => ({ file: await documentFile(reader, id) }),
};

function handedOut(file: FileRow | null): DocumentFile {
  if (!file) throw notFound();
  const { storage_key, file_name, size_bytes, sha256, created_at } = file;
  return { storage_key, file_name, media_type: 'application/pdf', size: size_bytes, sha256, created_at };
}
