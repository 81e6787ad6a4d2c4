import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from './changes.ts';
import { type ArrivedPdf, originalOf, removeFiles, warningsFor } from './files.ts';
import { changeableIn } from './frozen.ts';
import { documentForUpdate } from './queries.ts';
import { SignFileModel, type StoredDocument } from './rows.ts';
import { fileOfKind } from './shown.ts';

/**
 * Gives a draft another file; its fields stay where they are. Errors: `not_found`, `precondition_failed`,
 * `sign_document_frozen`.
 */
export async function replaceFile(work: Work, id: string, arrived: ArrivedPdf): Promise<StoredDocument> {
  const before = await documentForUpdate(work, id);
  work.precondition(before.document);
  const { document } = before;
  const changeable = changeableIn(document.status);
  if (changeable !== null) {
    throw new Failure('sign_document_frozen', {
      members: { current_status: document.status, frozen: ['file'], changeable },
    });
  }
  const old = fileOfKind(before.files, 'original');
  const file = originalOf(work, document, arrived, (old?.version ?? 0) + 1);
  if (old) await removeFiles(work, document, [old]);
  work.insert(SignFileModel, file);
  const changed = { ...before, files: [file], document: { ...document, warnings: warningsFor(file) } };
  return documentChanged(work, before, changed);
}
