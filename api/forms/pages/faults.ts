import type { Field } from '../../../shared/forms/schema/schema.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Fault } from './inputs/filling.ts';

/** The field that a fault of the answers is about, and the part of it; null for a fault of something else. */
export function placeOfError({ path }: Pick<FieldError, 'path'>): { field_id: string; part: string } | null {
  const [, root, field_id, part = ''] = path.split('/');
  return root === 'data' && field_id !== undefined ? { field_id, part } : null;
}

/** What is wrong with a field, in the language of the page. */
export function faultsOf(errors: readonly FieldError[], field: Field, language: Language): Fault[] {
  return errors.flatMap((error) => {
    const place = placeOfError(error);
    return place?.field_id === field.id ? [{ part: place.part, sentence: error.message[language] }] : [];
  });
}
