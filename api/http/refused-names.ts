import { type FieldError, MOST_FIELD_ERRORS } from '../../shared/kernel/failure.ts';
import { predicates } from '../../shared/kernel/field-error-words.ts';
import { joined, sameText } from '../../shared/kernel/language.ts';
import { DecimalSource, isRefusedName } from '../../shared/kernel/schema.ts';
import { pointer, shownPath } from './field-errors.ts';

/**
 * The members of a body, at any depth, whose names are refused: a fault `unknown_field` for each, 100 at most. Below a
 * refused member it does not look.
 */
export function refusedNames(body: unknown): FieldError[] {
  const faults: FieldError[] = [];
  const waiting: Place[] = [];
  if (hasParts(body)) waiting.push({ value: body, name: '', parent: null });
  for (let place = waiting.pop(); place && faults.length < MOST_FIELD_ERRORS; place = waiting.pop()) {
    if (Array.isArray(place.value)) {
      // Its places are no names, and to make a text of each takes longer than all else.
      for (const [name, value] of place.value.entries()) {
        if (hasParts(value)) waiting.push({ value, name, parent: place });
      }
      continue;
    }
    for (const [name, value] of Object.entries(place.value)) {
      if (isRefusedName(name)) faults.push(faultOf(name, place));
      else if (hasParts(value)) waiting.push({ value, name, parent: place });
    }
  }
  return faults.slice(0, MOST_FIELD_ERRORS);
}

/** Whether it is an object or array of JSON: a number kept as its text is neither. */
function hasParts(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof DecimalSource);
}

/** An object or array of the body with the way to it. */
type Place = { value: object; name: string | number; parent: Place | null };

function faultOf(member: string, within: Place): FieldError {
  const path: (string | number)[] = [member];
  for (let place = within; place.parent; place = place.parent) path.push(place.name);
  path.reverse();
  const message = joined([sameText(shownPath(path)), predicates.refused_name], ' ');
  return { in: 'body', path: pointer(path, 'body'), code: 'unknown_field', message };
}
