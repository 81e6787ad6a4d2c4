import { todayIn } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import { normalForm } from '../../kernel/normal-form.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { requireAction } from '../documents/transitions.ts';
import { NO_TRIES } from '../guests/tries.ts';
import { endLinksOf } from '../links/links.ts';
import { overtakeMails } from '../mails/order.ts';
import { addToTrail, type TrailEntry, trailActor } from '../trail/add.ts';
import { requireTime } from './expired.ts';
import { ask } from './notify.ts';
import { signerOfPath } from './signer-of.ts';
import { isAsked } from './turn.ts';

/** Who signs in the place of somebody else; `access_code_hash` where they get a code of their own. */
export type Person = { name: string; email: string; access_code_hash?: string };

/**
 * Puts somebody else in the place of a signer who has not signed: the old link is dead, and who is in turn is asked. Errors:
 * `not_found`, `precondition_failed`, `invalid_transition`, `signing_expired`.
 */
export async function replaceSigner(
  work: Work,
  id: string,
  signer_id: string,
  person: Person,
): Promise<StoredDocument> {
  const stored = await documentForUpdate(work, id);
  const draft = draftOf(stored);
  const signer = signerOfPath(draft, signer_id);
  const { document } = stored;
  work.precondition(document);
  requireAction(stored, 'replace', {
    grants: work.actor.grants,
    today: todayIn(document.time_zone, work.now),
  });
  requireTime(document, work.now);
  if (signer.status !== 'waiting' && !isAsked(signer)) throw hasEnded(signer);
  await putInPlace(work, draft, {
    signer,
    person,
    told: { type: 'replaced', actor: await trailActor(work) },
  });
  return documentChanged(work, stored, draft);
}

/**
 * Does the same to a signer of a draft, for staff and for a signer who passes the document on; what the trail says is named by who
 * asks. The caller keeps the draft by `documentChanged`.
 */
export async function putInPlace(
  work: Work,
  draft: StoredDocument,
  { signer, person, told }: { signer: SignerRow; person: Person; told: TrailEntry },
): Promise<void> {
  const { name, email, access_code_hash = signer.access_code_hash } = person;
  const isInTurn = isAsked(signer);
  Object.assign(signer, NO_TRIES, {
    name,
    email,
    email_key: normalForm(email, 'NFKC').toLowerCase(),
    access_code_hash,
    viewed_at: null,
    notified_at: null,
    reminded_at: null,
    reminders_sent: 0,
    next_reminder_at: null,
    delivery: 'none',
    delivery_error: null,
  });
  for (const field of draft.fields) if (field.signer_id === signer.id) field.value = null;
  addToTrail(work, draft.document, [{ ...told, signer_id: signer.id, data: { name, email } }]);
  endLinksOf(work, signer.id);
  overtakeMails(work, signer);
  for (const table of ['sign_codes', 'sign_accesses', 'sign_reminders']) {
    work.run(`DELETE FROM ${table} WHERE organization_id = $1 AND signer_id = $2`, [
      work.organization_id,
      signer.id,
    ]);
  }
  if (isInTurn) await ask(work, draft, [signer]);
}

function hasEnded({ status }: SignerRow): Failure {
  return new Failure('invalid_transition', {
    detail: {
      en: `replace is not for a signer who is ${status}`,
      ja: `状態が ${status} の署名者に replace は実行できません`,
    },
    members: { current_status: status },
  });
}
