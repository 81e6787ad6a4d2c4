import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { FACTS_TOGETHER } from '../../kernel/work.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import { endPartialsOfForm } from '../partials/end.ts';
import { removeResponses } from '../responses/remove.ts';
import { endingForm } from './queries.ts';
import { FormModel, formFacts } from './record.ts';
import { needsScope } from './refusals.ts';
import { requireAction } from './transitions.ts';

/**
 * Removes a form with its versions, what was saved of it and its invitations; an archived one with its responses and their
 * files where the call says so. Errors: `not_found`, `precondition_failed`, `invalid_transition`, `has_responses`,
 * `insufficient_scope`.
 */
export async function removeForm(work: Work, id: string, with_responses: boolean): Promise<void> {
  const stored = await endingForm(work, id);
  work.precondition(stored.form);
  if (with_responses && !allows(work.actor.grants, 'settings:write')) throw needsScope('settings:write');
  requireAction(stored, 'delete', work.actor, { with_responses });
  if (with_responses) await removeResponsesOf(work, id);
  await endPartialsOfForm(work, id);
  await removeFilesOf(work, id);
  work.remove(FormModel, id);
  work.record(formFacts.deleted, { before: stored.form, after: null });
}

/** Removes the responses of a locked form, which gets no other, and the exports that may show them. */
async function removeResponsesOf(work: Work, form_id: string): Promise<void> {
  for (;;) {
    const ids = await work.connection.query<{ id: string }>(
      'SELECT id FROM forms_responses WHERE organization_id = $1 AND form_id = $2 ORDER BY id LIMIT $3',
      [work.organization_id, form_id, FACTS_TOGETHER],
    );
    if (ids.length === 0) break;
    await removeResponses(
      work,
      ids.map(({ id }) => id),
    );
    await work.flushFacts();
  }
}

/** Removes the files that no response claimed. */
async function removeFilesOf(work: Work, form_id: string): Promise<void> {
  const files = await work.connection.query<{ storage_key: string }>(
    'DELETE FROM forms_files WHERE organization_id = $1 AND form_id = $2 RETURNING storage_key',
    [work.organization_id, form_id],
  );
  for (const { storage_key } of files) releaseFile(work, storage_key);
}
