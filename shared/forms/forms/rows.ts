import { pick } from '../../kernel/record-fields.ts';
import { type FormSettings, settingNames } from '../settings/record.ts';
import type { FormVersion } from '../versions/record.ts';
import type { Form, FormCounts } from './record.ts';

/** A form with its settings and the counts of its responses. */
export type StoredForm = { form: Form; settings: FormSettings; counts: FormCounts };

/** The same with the version that is answered; null where the form has none. */
export type AnsweredForm = StoredForm & { version: FormVersion | null };

/** The columns of a form, in the order of the API. */
export const formColumns = [
  'id',
  'organization_id',
  'title',
  'slug',
  'status',
  'schema_json',
  'published_version',
  'published_at',
  'archived_at',
  'has_unpublished_changes',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type FormRow = Omit<Form, 'object'>;

type SettingsRow = Omit<FormSettings, 'id' | 'object' | 'updated_at'> & { settings_updated_at: string };

type VersionRow = {
  version_id: string | null;
  version_number: number;
  version_title: string;
  version_schema_json: string;
  version_sha256: string;
  version_published_at: string;
  version_published_by: string | null;
};

export type StoredRow = FormRow & SettingsRow & FormCounts;

export type AnsweredRow = StoredRow & VersionRow;

const COUNTS = `coalesce(counts.response_count, 0)::integer AS response_count,
  coalesce(counts.spam_count, 0)::integer AS spam_count, counts.last_response_at`;

/** The columns of a stored form, where the tables are `form`, `settings` and `counts`. */
export const STORED_COLUMNS = `${formColumns.map((name) => `form.${name}`).join(', ')},
  ${settingNames.map((name) => `settings.${name}`).join(', ')}, settings.updated_at AS settings_updated_at, ${COUNTS}`;

/** What `form` is joined with. */
export const STORED_PARTS = `JOIN forms_settings AS settings
    ON settings.organization_id = form.organization_id AND settings.form_id = form.id
  LEFT JOIN LATERAL (
    SELECT sum(slot.response_count) AS response_count, sum(slot.spam_count) AS spam_count,
        max(slot.last_response_at) AS last_response_at
      FROM forms_counts AS slot
     WHERE slot.organization_id = form.organization_id AND slot.form_id = form.id) AS counts ON true`;

/** The columns of a version, where its table is `version`. */
export const VERSION_COLUMNS = `version.id AS version_id, version.number AS version_number, version.title AS version_title,
  version.schema_json AS version_schema_json, version.sha256 AS version_sha256,
  version.published_at AS version_published_at, version.published_by AS version_published_by`;

export function storedOf(row: StoredRow): StoredForm {
  return {
    form: formOf(row),
    settings: {
      id: row.id,
      object: 'forms.settings',
      ...pick(row, settingNames),
      updated_at: row.settings_updated_at,
    },
    counts: pick(row, ['response_count', 'spam_count', 'last_response_at']),
  };
}

export function answeredOf(row: AnsweredRow): AnsweredForm {
  return { ...storedOf(row), version: row.version_id === null ? null : versionOf(row, row.version_id) };
}

/** A row as the API shows it, less what is computed. */
export function formOf(row: FormRow): Form {
  const { id, ...fields } = pick(row, formColumns);
  return { id, object: 'forms.form', ...fields };
}

function versionOf(row: AnsweredRow, id: string): FormVersion {
  return {
    id,
    object: 'forms.version',
    form_id: row.id,
    number: row.version_number,
    title: row.version_title,
    sha256: row.version_sha256,
    published_at: row.version_published_at,
    published_by: row.version_published_by,
    schema_json: row.version_schema_json,
  };
}
