import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { DueDocuments } from '../life/due.ts';
import { renewSealJob } from './jobs.ts';

/** Milliseconds after which a renewal that came to nothing is asked for again. */
const AGAIN = 24 * 60 * 60_000;

/** Seals whose stamp is to be renewed: each is asked for, and again a day later as long as it has not come. */
export const dueRenewals: DueDocuments = {
  find: `SELECT organization_id, id AS document_id, seal_renew_at AS due_at FROM sign_documents
          WHERE seal_renew_at <= $1::timestamptz`,
  fault: 'renewals of seals could not be asked for',
  async act(work, stored) {
    const { id, seal_renew_at } = stored.document;
    if (seal_renew_at === null || new Date(seal_renew_at) > work.now) return false;
    const draft = draftOf(stored);
    draft.document.seal_renew_at = new Date(work.now.getTime() + AGAIN).toISOString();
    work.enqueue(renewSealJob, { document_id: id });
    documentChanged(work, stored, draft);
    return true;
  },
};
