import { minuteOf } from '../../kernel/local-time.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { StoredDocument } from '../documents/rows.ts';
import type { DueDocuments } from '../life/due.ts';
import { isActing, isAsked } from '../life/turn.ts';
import { mailAll } from '../mails/queue.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';
import { claim, latestClaims } from './claims.ts';

/** Documents that expire soon, of which the sender and the signers in turn are warned, once for each time of expiry. */
export const dueWarnings: DueDocuments = {
  find: `SELECT organization_id, id AS document_id, warn_at AS due_at FROM sign_documents WHERE warn_at <= $1`,
  fault: 'documents could not be warned of',
  act: warn,
};

async function warn(work: Work, stored: StoredDocument): Promise<boolean> {
  const now = work.now.toISOString();
  const { warn_at, status, expires_at } = stored.document;
  if (warn_at === null || warn_at > now) return false;
  const draft = draftOf(stored);
  draft.document.warn_at = null;
  const asked = draft.signers.filter((signer) => isActing(signer) && isAsked(signer));
  if (status !== 'sent' || expires_at === null || expires_at <= now || asked.length === 0) {
    documentChanged(work, stored, draft);
    return false;
  }
  draft.document.expiry_warned_at = now;
  const number = minuteOf(expires_at);
  const earlier = await latestClaims(
    work,
    'warning',
    asked.map(({ id }) => id),
  );
  const warned = asked.filter(({ id }) => earlier.get(id)?.number !== number);
  claim(
    work,
    warned.map(({ id }) => ({ signer_id: id, kind: 'warning', number, due_at: warn_at })),
  );
  for (const signer of warned) signer.delivery = 'queued';
  const data = { expires_at };
  addToTrail(work, draft.document, [{ type: 'expiry_warned', actor: SYSTEM, data }]);
  await mailAll(work, draft.document, [
    { kind: 'warning', to: 'sender' },
    ...warned.map((to) => ({ kind: 'warning' as const, to })),
  ]);
  documentChanged(work, stored, draft);
  return true;
}
