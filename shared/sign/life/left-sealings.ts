import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { enqueueSeal } from '../sealing/jobs.ts';
import type { DueDocuments } from './due.ts';

/** How long a sealing may take before it is asked for once more, in minutes. */
const LEFT_AFTER = 10;

/** Sealings that nobody has ended for ten minutes: they are asked for again, and a second one changes nothing. */
export const leftSealings: DueDocuments = {
  find: `SELECT organization_id, id AS document_id, sealing_since AS due_at FROM sign_documents
          WHERE sealing_status = 'pending' AND sealing_since <= $1::timestamptz - interval '${LEFT_AFTER} minutes'`,
  fault: 'sealings could not be asked for again',
  act: sealOnceMore,
};

async function sealOnceMore(work: Work, stored: StoredDocument): Promise<boolean> {
  const { sealing_status, sealing_since } = stored.document;
  const before = new Date(work.now.getTime() - LEFT_AFTER * 60_000).toISOString();
  if (sealing_status !== 'pending' || sealing_since === null || sealing_since > before) return false;
  const draft = draftOf(stored);
  draft.document.sealing_since = work.now.toISOString();
  enqueueSeal(work, draft.document);
  documentChanged(work, stored, draft);
  return true;
}
