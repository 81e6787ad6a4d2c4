import type { Work } from '../../kernel/work.ts';
import { MAILING_LIST } from '../settings/mailing-list.ts';
import { requireScopesOf } from '../settings/scopes.ts';
import { addForm } from './operations.ts';
import { storedForm } from './queries.ts';
import type { DuplicateInput } from './record.ts';
import type { StoredForm } from './rows.ts';

/**
 * Makes a draft from the working copy and the settings of a form; own keys, slug, versions and responses stay behind. Settings
 * that reach into other domains ask for the scopes that turning them on does. Errors: `not_found`, `insufficient_scope`.
 */
export async function duplicateForm(work: Work, id: string, { title }: DuplicateInput): Promise<StoredForm> {
  // The settings may leave their list, and the list be removed, at this moment: then they are read again.
  work.repeatOn(MAILING_LIST);
  const { form, settings } = await storedForm(work, id);
  const { id: _, object, updated_at, ...kept } = settings;
  requireScopesOf(work.actor, null, kept);
  return addForm(work, { title: title ?? form.title, schema_json: form.schema_json }, kept);
}
