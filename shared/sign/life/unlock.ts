import { todayIn } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { requireAction } from '../documents/transitions.ts';
import { NO_TRIES } from '../guests/tries.ts';
import { addToTrail, trailActor } from '../trail/add.ts';
import { requireTime } from './expired.ts';
import { signerOfPath } from './signer-of.ts';
import { isAsked } from './turn.ts';

/**
 * Lets a signer in turn try codes again, from the first one on. Where nothing is locked, nothing changes. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`, `signing_expired`.
 */
export async function unlockSigner(work: Work, id: string, signer_id: string): Promise<StoredDocument> {
  const stored = await documentForUpdate(work, id);
  const draft = draftOf(stored);
  const signer = signerOfPath(draft, signer_id);
  const { document } = stored;
  work.precondition(document);
  requireAction(stored, 'unlock', {
    grants: work.actor.grants,
    today: todayIn(document.time_zone, work.now),
  });
  requireTime(document, work.now);
  if (!isAsked(signer)) {
    throw new Failure('invalid_transition', {
      detail: {
        en: `unlock is not for a signer who is ${signer.status}`,
        ja: `状態が ${signer.status} の署名者に unlock は実行できません`,
      },
      members: { current_status: signer.status },
    });
  }
  if (signer.failed_tries === 0 && !signer.is_locked) {
    work.nothingChanged();
    return stored;
  }
  Object.assign(signer, NO_TRIES);
  addToTrail(work, draft.document, [
    { type: 'unlocked', actor: await trailActor(work), signer_id: signer.id },
  ]);
  return documentChanged(work, stored, draft);
}
