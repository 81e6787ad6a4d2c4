import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';
import type { DueDocuments } from './due.ts';
import { endDocument } from './ending.ts';
import { groupInTurn } from './turn.ts';

/** Documents whose time is over while somebody has not signed: they are cancelled. What all have signed is sealed all the same. */
export const dueExpiries: DueDocuments = {
  find: `SELECT organization_id, id AS document_id, expires_at AS due_at FROM sign_documents
          WHERE status = 'sent' AND expires_at <= $1 AND sealing_status = 'none'`,
  fault: 'documents could not be expired',
  act: expire,
};

async function expire(work: Work, stored: StoredDocument): Promise<boolean> {
  const { status, expires_at } = stored.document;
  const isOver = status === 'sent' && expires_at !== null && expires_at <= work.now.toISOString();
  if (!isOver || groupInTurn(stored.signers) === null) return false;
  const draft = draftOf(stored);
  await endDocument(work, draft, 'expired', null);
  addToTrail(work, draft.document, [{ type: 'expired', actor: SYSTEM, data: { expires_at } }]);
  documentChanged(work, stored, draft, 'cancelled');
  return true;
}
