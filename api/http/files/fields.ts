import type { z } from 'zod';
import { Failure, type FieldError } from '../../../shared/kernel/failure.ts';
import { predicates } from '../../../shared/kernel/field-error-words.ts';
import { isStorable } from '../../../shared/kernel/schema.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { MOST_VALUES, parseJson } from '../json.ts';
import { faultAt } from './form.ts';

export type GivenFields = { values: Record<string, unknown>; faults: FieldError[] };

/** The field that may hold the others together, as JSON, where the endpoint names no other. */
export const TOGETHER = 'options';

/**
 * The fields of a form as JSON would hold them. Text stays text where the schema takes it; what the schema takes in
 * another form (true, 5, an object) is read as JSON. An empty field is one that was left empty: it is not there.
 */
export function givenFields(
  schema: z.ZodObject | undefined,
  texts: readonly (readonly [name: string, text: string])[],
  together = TOGETHER,
  most_values = MOST_VALUES,
): GivenFields {
  const values = new Map<string, unknown>();
  const faults: FieldError[] = [];
  const give = (name: string, value: unknown) => {
    if (values.has(name)) faults.push(faultAt(name, 'repeated_field', predicates.repeated_parameter));
    else values.set(name, value);
  };
  for (const [name, text] of texts) {
    if (!isStorable(text)) faults.push(faultAt(name, 'invalid_characters', predicates.nul));
    else if (text === '') continue;
    else if (name === together && schema && !Object.hasOwn(schema.shape, together))
      giveAll(together, jsonOf(text, most_values), give, faults);
    else give(name, fieldOf(schema, name, text));
  }
  return { values: Object.fromEntries(values), faults };
}

/** The fields checked against the schema, and all that is wrong with them. */
export function checkedFields(
  schema: z.ZodObject | undefined,
  values: unknown,
): { fields: unknown; faults: FieldError[] } {
  if (!schema) {
    const unknown = Object.keys(values as object);
    const faults = unknown.map((name) => faultAt(name, 'unknown_field', predicates.unknown_field));
    return { fields: undefined, faults };
  }
  const result = schema.strict().safeParse(values);
  if (result.success) return { fields: result.data, faults: [] };
  return { fields: undefined, faults: fieldErrorsOf(result.error, 'body', values) };
}

function giveAll(
  together: string,
  value: unknown,
  give: (name: string, value: unknown) => void,
  faults: FieldError[],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(
      faultAt(together, 'invalid_type', {
        en: 'must be a JSON object',
        ja: 'はJSONのオブジェクトで指定してください',
      }),
    );
    return;
  }
  for (const [name, one] of Object.entries(value)) give(name, one);
}

function fieldOf(form: z.ZodObject | undefined, name: string, text: string): unknown {
  const schema = form && Object.hasOwn(form.shape, name) ? (form.shape[name] as z.ZodType) : undefined;
  if (!schema || schema.safeParse(text).success) return text;
  const value = jsonOf(text);
  const isStructure = typeof value === 'object' && value !== null;
  return isStructure || (value !== undefined && schema.safeParse(value).success) ? value : text;
}

/** Undefined for what is not JSON. Errors: `too_many_values`. */
function jsonOf(text: string, most_values = MOST_VALUES): unknown {
  try {
    return parseJson(text, most_values);
  } catch (error) {
    if (error instanceof Failure && error.code === 'malformed_json') return undefined;
    throw error;
  }
}
