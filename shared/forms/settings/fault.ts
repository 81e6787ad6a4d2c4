import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Field } from '../schema/schema.ts';

/** What settings are judged by, beside themselves. */
export type Known = {
  /** The fields of the form's working copy and of its published version. */
  fields: ReadonlyMap<string, Field>;
  /** The keys of the organization's custom fields of contacts. */
  custom_fields: readonly string[];
};

/** That the form has no such field. */
export function unknownField(path: string, id: string): FieldError {
  return fault(path, 'unknown_reference', {
    en: `The form has no field ${id}`,
    ja: `フォームに ${id} というフィールドはありません`,
  });
}

/** That something is missing. */
export function required(path: string): FieldError {
  return fault(path, 'required', {
    en: `${path.slice(1).replace('/', '.')} is required`,
    ja: `${path.slice(1).replace('/', '.')} は必須です`,
  });
}

/** A fault at a place of the body, in a whole sentence. */
export function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}
