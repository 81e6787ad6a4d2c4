import { invalid } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import { holdContents, releaseUnnamed } from '../../platform/storage/shared-content.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import { inspectPdf } from '../pdf/inspect.ts';
import type { InspectedPdf, PdfRefusal } from '../pdf/types.ts';
import { type DocumentRow, type FileRow, SignFileModel } from './rows.ts';

/** A PDF that came for a document: it is in the store, kept by the transaction, and was looked into. */
export type ArrivedPdf = { file: UploadedFile; inspected: InspectedPdf };

/** Bytes that a file for signing may have. */
export const MOST_FILE_BYTES = 50 * 1024 ** 2;

const refusals: Readonly<Record<PdfRefusal, Text>> = {
  encrypted_pdf: {
    en: 'The PDF is encrypted: send it without a password',
    ja: 'PDFが暗号化されています。パスワードを解除して送信してください',
  },
  unreadable_pdf: {
    en: 'The PDF is damaged or has no pages',
    ja: 'PDFが壊れているか、ページがありません',
  },
  too_complex: {
    en: 'The PDF has too many parts to be opened',
    ja: 'PDFの構造が複雑すぎるため開けません',
  },
  too_many_pages: {
    en: 'The PDF has more than 500 pages',
    ja: 'PDFは500ページまでです',
  },
  active_content: {
    en: 'The PDF has scripts, starts programs or is an XFA form',
    ja: 'PDFにスクリプト、プログラムの起動、またはXFAフォームが含まれています',
  },
  certified_pdf: {
    en: 'The PDF is certified against changes',
    ja: 'PDFは変更を禁止する認証が付いています',
  },
  signed_pdf_not_appendable: {
    en: 'The PDF has signatures that would break when something is added',
    ja: 'PDFに署名があり、追記すると無効になるため使用できません',
  },
};

/** Looks into a PDF in a process of its own. Errors: `validation_failed` at `path` with the reason. */
export async function inspected(content: Buffer, signal: AbortSignal, path = '/file'): Promise<InspectedPdf> {
  const found = await inspectPdf(content, signal);
  if ('refused' in found) throw invalid(path, found.refused, refusals[found.refused]);
  return found;
}

/** The row of a new original. */
export function originalOf(
  work: Work,
  { id }: Pick<DocumentRow, 'id'>,
  { file, inspected: found }: ArrivedPdf,
  version: number,
): FileRow {
  if (file.storage_key === null) throw new Error('The endpoint does not keep its file');
  return {
    document_id: id,
    kind: 'original',
    version,
    is_present: true,
    storage_key: file.storage_key,
    file_name: file.file_name === '' ? 'document.pdf' : file.file_name,
    size_bytes: file.size,
    sha256: file.sha256,
    page_count: found.page_count,
    has_signatures: found.has_signatures,
    geometry: found.pages,
    values_sha256: null,
    seal_digest: null,
    created_at: work.now.toISOString(),
  };
}

/** The row of an original that another document has too: the bytes stand once. Null where it went at the moment. */
export async function sharedOriginal(
  work: Work,
  { id }: Pick<DocumentRow, 'id'>,
  original: FileRow,
): Promise<FileRow | null> {
  const held = await holdContents(work, [original.storage_key]);
  if (!held.has(original.storage_key)) return null;
  return { ...original, document_id: id, version: 1, created_at: work.now.toISOString() };
}

/** The warnings that a document has for its file. */
export function warningsFor(original: Pick<FileRow, 'has_signatures'>): DocumentRow['warnings'] {
  return original.has_signatures ? ['earlier_signatures'] : [];
}

/** Takes rows of files away, and lets go what no other document has; what a worker made is of one document alone. */
export async function removeFiles(
  work: Work,
  { id }: Pick<DocumentRow, 'id'>,
  files: readonly Pick<FileRow, 'kind' | 'version' | 'storage_key'>[],
): Promise<void> {
  if (files.length === 0) return;
  work.run(
    `DELETE FROM sign_files WHERE organization_id = $1 AND document_id = $2
        AND (kind, version) IN (SELECT * FROM unnest($3::text[], $4::integer[]))`,
    [work.organization_id, id, files.map(({ kind }) => kind), files.map(({ version }) => version)],
  );
  const originals = files.filter(({ kind }) => kind === 'original');
  for (const { kind, storage_key } of files) if (kind !== 'original') releaseFile(work, storage_key);
  if (originals.length > 0) {
    await releaseUnnamed(
      work,
      SignFileModel,
      originals.map(({ storage_key }) => storage_key),
    );
  }
}
