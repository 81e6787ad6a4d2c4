import type { Field } from '../../../shared/forms/schema/schema.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Fault } from './inputs/filling.ts';
import { textIn } from './texts.ts';

/** The field that a fault of the answers is about, and the part of it; null for a fault of something else. */
export function placeOfError({ path }: Pick<FieldError, 'path'>): { field_id: string; part: string } | null {
  const [, root, field_id, part = ''] = path.split('/');
  return root === 'data' && field_id !== undefined ? { field_id, part } : null;
}

/** What is wrong with a field, in the words of the form where it has some. */
export function faultsOf(errors: readonly FieldError[], field: Field, language: Language): Fault[] {
  const found = errors.flatMap((error) => {
    const place = placeOfError(error);
    return place?.field_id === field.id ? [{ part: place.part, sentence: error.message[language] }] : [];
  });
  if (found.length === 0 || !('message' in field) || !field.message) return found;
  return [{ part: found[0]!.part, sentence: textIn(field.message, language) }];
}
