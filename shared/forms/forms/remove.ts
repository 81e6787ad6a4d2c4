import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { removeRestJob } from '../erasing/jobs.ts';
import { isAnythingLeft, removeNextResponses } from '../erasing/rest.ts';
import { endPartialsOfForm } from '../partials/end.ts';
import { endingForm } from './queries.ts';
import { FormModel, formFacts } from './record.ts';
import { needsScope } from './refusals.ts';
import { requireAction } from './transitions.ts';

/**
 * Removes a form with its versions, what was saved of it and its invitations; an archived one with its responses and their
 * files where the call says so. Nothing of it is found from the commit on. Of its responses the commit takes the first along;
 * a worker removes the rest, and files that no response claimed. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition`, `has_responses`, `insufficient_scope`.
 */
export async function removeForm(work: Work, id: string, with_responses: boolean): Promise<void> {
  const stored = await endingForm(work, id);
  work.precondition(stored.form);
  if (with_responses && !allows(work.actor.grants, 'settings:write')) throw needsScope('settings:write');
  requireAction(stored, 'delete', work.actor, { with_responses });
  if (with_responses) await removeNextResponses(work, id);
  await endPartialsOfForm(work, id);
  work.remove(FormModel, id);
  work.record(formFacts.deleted, { before: stored.form, after: null });
  await work.flushFacts();
  if (!(await isAnythingLeft(work, id))) return;
  const { type, id: actor_id, user_id } = work.actor;
  work.enqueue(removeRestJob, { form_id: id, asking: { type, id: actor_id, user_id } });
}
