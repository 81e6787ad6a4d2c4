import { randomBytes } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { SLOTS } from '../responses/admit.ts';
import { defaultSettings, type KeptSettings, settingNames, storedSetting } from '../settings/record.ts';
import { findVersion } from '../versions/queries.ts';
import { formForUpdate } from './queries.ts';
import { EMPTY_SCHEMA, type Form, type FormInput, FormModel, type FormPatch, formFacts } from './record.ts';
import type { StoredForm } from './rows.ts';
import { requireSchema, sha256Of } from './schema-text.ts';
import { randomSlug, takeSlug } from './slugs.ts';
import { requireAction } from './transitions.ts';

/** Makes a form, as a draft. Errors: `validation_failed` at places of the schema, `already_exists`. */
export async function createForm(work: Work, input: FormInput): Promise<StoredForm> {
  if (input.schema_json !== undefined) requireSchema(input.schema_json);
  return addForm(work, input, defaultSettings);
}

/** Adds a draft with its settings and counters. Errors: `already_exists`. */
export function addForm(
  work: Work,
  { title, schema_json = EMPTY_SCHEMA, slug, external_id, metadata }: FormInput,
  settings: KeptSettings,
  random: (count: number) => Uint8Array = randomBytes,
): StoredForm {
  const at = work.now.toISOString();
  const form: Form = {
    id: newId('form', work.now),
    object: 'forms.form',
    organization_id: work.organization_id,
    title,
    slug: slug ?? randomSlug(random),
    status: 'draft',
    schema_json,
    published_version: null,
    published_at: null,
    archived_at: null,
    has_unpublished_changes: true,
    external_id: external_id ?? null,
    metadata: metadataAfter({}, metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
  work.insert(FormModel, columnsOf(form));
  takeSlug(work, form.id, form.slug);
  addSettings(work, form.id, settings, at);
  work.run(
    `INSERT INTO forms_counts (organization_id, form_id, slot)
     SELECT $1, $2, slot FROM generate_series(0, ${SLOTS - 1}) AS slot`,
    [work.organization_id, form.id],
  );
  work.record(formFacts.created, { before: null, after: form });
  return {
    form,
    settings: { id: form.id, object: 'forms.settings', ...settings, updated_at: at },
    counts: { response_count: 0, spam_count: 0, last_response_at: null },
  };
}

function addSettings(work: Work, form_id: string, settings: KeptSettings, updated_at: string): void {
  const places = settingNames.map((_, index) => `$${index + 4}`).join(', ');
  const values = settingNames.map((name) => storedSetting(settings[name]));
  work.run(
    `INSERT INTO forms_settings (organization_id, form_id, updated_at, ${settingNames.join(', ')})
     VALUES ($1, $2, $3, ${places})`,
    [work.organization_id, form_id, updated_at, ...values],
  );
}

/**
 * Changes the fields sent: the working copy, which the public does not see, the slug, and the own keys. Of an archived form
 * the own keys alone change. Errors: `not_found`, `precondition_failed`, `validation_failed`, `form_frozen`, `already_exists`.
 */
export async function updateForm(work: Work, id: string, patch: FormPatch): Promise<StoredForm> {
  if (patch.schema_json !== undefined) requireSchema(patch.schema_json);
  const stored = await formForUpdate(work, id);
  const before = stored.form;
  work.precondition(before);
  requireAction(stored, 'update', work.actor);
  const changed: Form = {
    ...before,
    ...sentOrKept(patch, before, ['title', 'schema_json', 'slug', 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(formFacts.updated, before, changed)) return stored;
  if (before.status === 'archived' && !isSameCopy(before, changed)) throw new Failure('form_frozen');
  const has_unpublished_changes = await differsFromPublished(work, changed);
  const form = saveForm(work, before, { ...changed, has_unpublished_changes });
  if (form.slug !== before.slug) takeSlug(work, id, form.slug);
  return { ...stored, form };
}

function isSameCopy(before: Form, after: Form): boolean {
  return (
    before.title === after.title && before.schema_json === after.schema_json && before.slug === after.slug
  );
}

async function differsFromPublished(work: Work, form: Form): Promise<boolean> {
  if (form.published_version === null) return true;
  const version = await findVersion(work, form.id, form.published_version);
  return version?.title !== form.title || version.sha256 !== sha256Of(form.schema_json);
}

/** Writes a changed form, and what is told of it. */
export function saveForm(work: Work, before: Form, changed: Form): Form {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, organization_id, created_at, created_by, ...columns } = columnsOf(after);
  work.update(FormModel, id, columns);
  work.record(formFacts.updated, { before, after });
  return after;
}

/** A form as a row; it is searched by its title. */
function columnsOf({ object, ...columns }: Form) {
  const search_text = searchText([columns.title]);
  return { ...columns, search_text, search_grams: gramsOf(search_text) };
}
