import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { ArrivedFile } from './arrive.ts';
import { type FileRow, MOST_FILES } from './record.ts';

/** A document that is locked, or made by this transaction, with the files that it has. */
export type DocumentWithFiles = { id: string; files: readonly FileRow[] };

/**
 * The files of a document with those that came for it, behind those that it has; `documentChanged` writes them. `supersedes`
 * names the one in whose place the first of them stands: it is kept all the same. Errors: `validation_failed`
 * at /file; `unknown_reference` at /supersedes, `frozen` for one that is superseded already.
 */
export function keepFiles(
  work: Work,
  { id: document_id, files }: DocumentWithFiles,
  arrived: readonly ArrivedFile[],
  supersedes: string | null = null,
): FileRow[] {
  if (files.length + arrived.length > MOST_FILES) {
    throw invalid('/file', 'too_many', {
      en: `A document has ${MOST_FILES} files at most`,
      ja: `1つの書類に登録できるファイルは${MOST_FILES}件までです`,
    });
  }
  const added = arrived.map((one, index) =>
    rowOf(work, one, { document_id, position: files.length + index + 1 }),
  );
  if (supersedes === null) return [...files, ...added];
  const replaced = files.find(({ id }) => id === supersedes);
  if (!replaced) throw unknownReference('/supersedes', supersedes);
  if (replaced.superseded_by !== null) throw new Failure('received_file_frozen');
  const superseded_by = added[0]!.id;
  return [...files.map((file) => (file === replaced ? { ...file, superseded_by } : file)), ...added];
}

function rowOf(
  work: Work,
  { file, is_unreadable }: ArrivedFile,
  place: Pick<FileRow, 'document_id' | 'position'>,
): FileRow {
  const { storage_key, file_name, content_type, size, sha256 } = file;
  if (storage_key === null) throw new Error('The endpoint does not keep its files');
  return {
    id: newId('rfile', work.now),
    ...place,
    file_name,
    content_type,
    size_bytes: size,
    sha256,
    storage_key,
    is_unreadable,
    superseded_by: null,
    uploaded_by: work.actor.user_id,
    uploaded_at: work.now.toISOString(),
  };
}
