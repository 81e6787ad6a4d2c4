import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { DocumentRow, StoredDocument } from '../documents/rows.ts';
import { enqueueSeal } from '../sealing/jobs.ts';
import type { DueDocuments } from './due.ts';

/** How long a sealing may take before it is asked for once more, in minutes. */
const LEFT_AFTER = 10;

/**
 * Sealings that nobody has ended for ten minutes, those in which a try pauses counted from the next one: they are asked for
 * again, and a second one changes nothing.
 */
export const leftSealings: DueDocuments = {
  find: `SELECT organization_id, id AS document_id, coalesce(sealing_next_at, sealing_since) AS due_at FROM sign_documents
          WHERE sealing_status = 'pending' AND sealing_since <= $1::timestamptz - interval '${LEFT_AFTER} minutes'
            AND coalesce(sealing_next_at, sealing_since) <= $1::timestamptz - interval '${LEFT_AFTER} minutes'`,
  fault: 'sealings could not be asked for again',
  act: sealOnceMore,
};

async function sealOnceMore(work: Work, stored: StoredDocument): Promise<boolean> {
  if (!isLeft(stored.document, work.now)) return false;
  const draft = draftOf(stored);
  draft.document.sealing_next_at = work.now.toISOString();
  enqueueSeal(work, draft.document);
  documentChanged(work, stored, draft);
  return true;
}

function isLeft(
  {
    sealing_status,
    sealing_since,
    sealing_next_at,
  }: Pick<DocumentRow, 'sealing_status' | 'sealing_since' | 'sealing_next_at'>,
  now: Date,
): boolean {
  const due = sealing_next_at ?? sealing_since;
  if (sealing_status !== 'pending' || due === null) return false;
  return Date.parse(due) <= now.getTime() - LEFT_AFTER * 60_000;
}
