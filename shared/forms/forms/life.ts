import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { endPartialsOfForm } from '../partials/end.ts';
import { earlierTypes } from '../versions/queries.ts';
import { FormVersionModel, versionFacts } from '../versions/record.ts';
import { saveForm } from './operations.ts';
import { endingForm, formForUpdate } from './queries.ts';
import type { Form } from './record.ts';
import type { StoredForm } from './rows.ts';
import { requirePublishable, sha256Of } from './schema-text.ts';
import { requireAction } from './transitions.ts';
import type { FormAction } from './words.ts';

/**
 * Publishes the working copy: as a new version where its title or text differ from the last one, else that one is answered
 * again; of a published form nothing changes then. Publishes of one form wait for each other, so several of one change make
 * one version. Errors: `not_found`, `precondition_failed`, `invalid_schema`.
 */
export async function publishForm(work: Work, id: string): Promise<StoredForm> {
  const stored = await formForUpdate(work, id);
  const before = stored.form;
  work.precondition(before);
  requireAction(stored, 'publish', work.actor);
  if (before.status === 'published' && !before.has_unpublished_changes) {
    work.nothingChanged();
    return stored;
  }
  requirePublishable(before.schema_json, await earlierTypes(work, id));
  const number = before.has_unpublished_changes ? addVersion(work, before) : before.published_version!;
  const form = saveForm(work, before, {
    ...before,
    status: 'published',
    published_version: number,
    published_at: work.now.toISOString(),
    archived_at: null,
    has_unpublished_changes: false,
  });
  return { ...stored, form };
}

/** Freezes the working copy. Answers the number of the version. */
function addVersion(work: Work, form: Form): number {
  const number = (form.published_version ?? 0) + 1;
  const version = {
    id: newId('formv', work.now),
    form_id: form.id,
    number,
    title: form.title,
    sha256: sha256Of(form.schema_json),
    published_at: work.now.toISOString(),
    published_by: work.actor.user_id,
  };
  work.insert(FormVersionModel, { ...version, schema_json: form.schema_json });
  work.record(versionFacts.created, { before: null, after: version });
  return number;
}

/** Takes a form without responses back to the drafts. Errors: `not_found`, `precondition_failed`, `has_responses`. */
export async function unpublishForm(work: Work, id: string): Promise<StoredForm> {
  return changeStatus(work, id, 'unpublish', { status: 'draft', archived_at: null });
}

/**
 * Closes a form to the public. What was saved of it and its invitations end. A submission that commits at that moment is
 * stored before, or refused. Errors: `not_found`, `precondition_failed`, `invalid_transition`.
 */
export async function archiveForm(work: Work, id: string): Promise<StoredForm> {
  const archived_at = work.now.toISOString();
  const stored = await changeStatus(work, id, 'archive', { status: 'archived', archived_at });
  await endPartialsOfForm(work, id);
  work.run(
    `UPDATE forms_invitations SET revoked_at = $3, updated_at = $3
      WHERE organization_id = $1 AND form_id = $2 AND revoked_at IS NULL`,
    [work.organization_id, id, archived_at],
  );
  return stored;
}

async function changeStatus(
  work: Work,
  id: string,
  action: FormAction,
  changes: Partial<Form>,
): Promise<StoredForm> {
  const stored = await endingForm(work, id);
  work.precondition(stored.form);
  requireAction(stored, action, work.actor);
  return { ...stored, form: saveForm(work, stored.form, { ...stored.form, ...changes }) };
}
