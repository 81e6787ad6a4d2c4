import { customFieldRules } from '../../crm/custom-fields/queries.ts';
import { invalidAll } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { formForUpdate } from '../forms/queries.ts';
import type { Form } from '../forms/record.ts';
import { holdResponses } from '../responses/admit.ts';
import { findVersion } from '../versions/queries.ts';
import type { Known } from './fault.ts';
import { settingsFaults } from './faults.ts';
import { fieldsIn } from './fields.ts';
import {
  type FormSettings,
  type FormSettingsPatch,
  type KeptSettings,
  settingsFacts,
  storedSetting,
} from './record.ts';
import { requireReferences } from './references.ts';
import { requireScopesOf } from './scopes.ts';

/** What responses are admitted by as they commit. */
const ADMITTING = ['one_per', 'one_per_field', 'max_responses'] as const;

/**
 * Changes the settings sent, effective at once; `notify`, `receipt_mail`, `spam` and `crm` are merged by key. Errors:
 * `not_found`, `precondition_failed`, `validation_failed`, `unknown_reference`, `insufficient_scope`. Locks: the form, then the
 * counts of its responses where it admits them otherwise from now on.
 */
export async function updateSettings(
  work: Work,
  form_id: string,
  patch: FormSettingsPatch,
): Promise<FormSettings> {
  const { form, settings: before } = await formForUpdate(work, form_id);
  work.precondition(before);
  const changed: FormSettings = { ...before, ...merged(before, patch) };
  if (work.isSame(settingsFacts.updated, before, changed)) return before;
  requireScopesOf(work.actor, before, changed);
  const faults = settingsFaults(before, changed, await knownTo(work, form));
  if (faults.length > 0) throw invalidAll(faults);
  await requireReferences(work, before, changed);
  // Responses that were admitted by these commit before, and count; later ones see what changed.
  if (ADMITTING.some((name) => before[name] !== changed[name])) await holdResponses(work, form_id);
  const after = { ...changed, updated_at: work.touch(before) };
  writeSettings(work, before, after);
  work.record(settingsFacts.updated, { before, after });
  return after;
}

/** What was sent, each group of it merged into the one that is there. */
function merged(before: KeptSettings, patch: FormSettingsPatch): Partial<KeptSettings> {
  const { notify, receipt_mail, spam, crm, ...plain } = patch;
  return {
    ...plain,
    ...(notify && { notify: { ...before.notify, ...notify } }),
    ...(receipt_mail && { receipt_mail: { ...before.receipt_mail, ...receipt_mail } }),
    ...(spam && { spam: { ...before.spam, ...spam } }),
    ...(crm && { crm: { ...before.crm, ...crm } }),
  };
}

/** What the settings of a locked form may name. */
async function knownTo(work: Work, form: Form): Promise<Known> {
  const [version, rules] = await Promise.all([
    form.published_version === null ? undefined : findVersion(work, form.id, form.published_version),
    customFieldRules(work, 'contact'),
  ]);
  const texts = [form.schema_json, ...(version ? [version.schema_json] : [])];
  return { fields: fieldsIn(texts), custom_fields: rules.map(({ key }) => key) };
}

/** Writes the settings that differ. */
export function writeSettings(work: Work, before: FormSettings, after: FormSettings): void {
  const { id, object, ...kept } = after;
  const changed = Object.entries(kept).filter(
    ([name, value]) => before[name as keyof FormSettings] !== value,
  );
  work.run(
    `UPDATE forms_settings SET ${changed.map(([name], index) => `${name} = $${index + 3}`).join(', ')}
      WHERE organization_id = $1 AND form_id = $2`,
    [work.organization_id, id, ...changed.map(([, value]) => storedSetting(value))],
  );
}
