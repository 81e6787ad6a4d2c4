import { todayIn } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import { documentFacts, toldOf } from './facts.ts';
import { removeFiles } from './files.ts';
import { documentForUpdate } from './queries.ts';
import { type DocumentRow, type FileRow, SignDocumentModel } from './rows.ts';
import { requireAction } from './transitions.ts';

/**
 * Erases a document with its signers, fields and files, and the words of its mails. Of one that was sent the trail stays, and a row that it belongs to,
 * which tells nothing else. Errors: `not_found`, `precondition_failed`; `invalid_transition` while it is out for signing;
 * `document_retained`.
 */
export async function eraseDocument(work: Work, id: string): Promise<void> {
  const before = await documentForUpdate(work, id);
  const { document } = before;
  work.precondition(document);
  requireAction(before, 'delete', {
    grants: work.actor.grants,
    today: todayIn(document.time_zone, work.now),
  });
  const files = await work.connection.query<FileRow>(
    'SELECT kind, version, storage_key FROM sign_files WHERE organization_id = $1 AND document_id = $2 ORDER BY kind, version',
    [work.organization_id, id],
  );
  const of_document = [work.organization_id, id];
  work.run('DELETE FROM sign_fields WHERE organization_id = $1 AND document_id = $2', of_document);
  work.run('DELETE FROM sign_signers WHERE organization_id = $1 AND document_id = $2', of_document);
  work.run(`UPDATE sign_mails SET told = '{}' WHERE organization_id = $1 AND document_id = $2`, of_document);
  await removeFiles(work, document, files);
  if (document.trail_length === 0) work.remove(SignDocumentModel, id);
  else work.update(SignDocumentModel, id, { ...nothingOf(document), erased_at: work.now.toISOString() });
  work.record(documentFacts.deleted, { before: toldOf(before, work.now), after: null });
}

/** What an erased document tells: that it was, and how it ended. */
function nothingOf(
  document: DocumentRow,
): Partial<DocumentRow> & { search_text: string; search_grams: number[] } {
  return {
    title: '',
    message: null,
    viewers: [],
    internal_memo: null,
    transaction_date: null,
    amount: null,
    counterparty_name: null,
    company_id: null,
    source: null,
    warnings: [],
    cancel_note: null,
    sealing_error: null,
    seal_renew_at: null,
    needs_attention: false,
    external_id: null,
    metadata: {},
    search_text: '',
    search_grams: [],
    updated_at: document.updated_at,
  };
}
