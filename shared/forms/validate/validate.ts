import { todayIn } from '../../kernel/days.ts';
import { type FieldError, MOST_FIELD_ERRORS, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { type CompiledForm, compiledForm, compileForm } from '../answers/compiled.ts';
import { judge } from '../answers/judge.ts';
import { claimableFiles, fileIdsIn } from '../files/claim.ts';
import { formWithVersion, storedForm } from '../forms/queries.ts';
import type { StoredForm } from '../forms/rows.ts';
import { parseSchema } from '../schema/parse.ts';
import { publishFaults } from '../schema/publish.ts';
import type { Schema } from '../schema/schema.ts';
import { earlierTypes } from '../versions/queries.ts';
import type { Validated, ValidateInput } from './record.ts';

/**
 * Judges a schema as publishing does, or answers as a submission with credentials does (steps 3 to 7); nothing is stored. Errors:
 * `not_found`, `unknown_reference` for a version that the form does not have. Locks: the files that the answers name.
 */
export async function validate(
  work: Work,
  form_id: string,
  { schema_json, data = {}, hidden = {}, version }: ValidateInput,
): Promise<Validated> {
  work.nothingChanged();
  const stored = version === undefined ? await storedForm(work, form_id) : null;
  if (schema_json !== undefined) {
    const judged = await publishableSchema(work, form_id, schema_json);
    return 'faults' in judged ? verdictOn(judged.faults) : verdictOn([]);
  }
  const { form, settings } = stored
    ? await workingCopy(work, stored)
    : await versionOf(work, form_id, version!);
  if ('faults' in form) return verdictOn(form.faults);
  const files = await claimableFiles(work, { form_id, nonce_hash: null }, fileIdsIn(data));
  const today = todayIn(settings.time_zone, work.now);
  const { errors, visible_fields, dropped_fields, ending_id, scores } = judge(form, {
    data,
    hidden,
    today,
    files,
  });
  return { ...verdictOn(errors), visible_fields, dropped_fields, ending_id, scores };
}

type Judging = { form: CompiledForm | { faults: FieldError[] } } & Pick<StoredForm, 'settings'>;

async function workingCopy(
  work: Work,
  { form: { id, schema_json }, settings }: StoredForm,
): Promise<Judging> {
  const judged = await publishableSchema(work, id, schema_json);
  return { form: 'faults' in judged ? judged : compileForm(judged.schema), settings };
}

async function versionOf(work: Work, form_id: string, number: number): Promise<Judging> {
  const { version, settings } = await formWithVersion(work, form_id, number);
  if (!version) throw unknownReference('/version', { en: 'The version', ja: '版' });
  return { form: compiledForm(version.schema_json, version.sha256), settings };
}

/** The schema of a text as the form's next version could have it, or everything that keeps it from being published as one. */
async function publishableSchema(
  work: Work,
  form_id: string,
  schema_json: string,
): Promise<{ schema: Schema } | { faults: FieldError[] }> {
  const parsed = parseSchema(schema_json);
  if ('faults' in parsed) return parsed;
  const faults = publishFaults(parsed.schema, await earlierTypes(work, form_id));
  return faults.length > 0 ? { faults } : parsed;
}

/** A verdict by what is wrong alone: valid where nothing is. */
function verdictOn(errors: readonly FieldError[]): Validated {
  return {
    valid: errors.length === 0,
    errors: errors.slice(0, MOST_FIELD_ERRORS).map(({ path, code, message }) => ({ path, code, message })),
    visible_fields: [],
    dropped_fields: [],
    ending_id: null,
    scores: {},
  };
}
