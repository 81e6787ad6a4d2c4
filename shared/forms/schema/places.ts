import type { z } from 'zod';
import type { FieldError } from '../../kernel/failure.ts';
import { predicates } from '../../kernel/field-error-words.ts';
import { type Text, textOfMessage } from '../../kernel/language.ts';

/** A place in a schema: names and numbers from its root. */
export type Place = readonly PropertyKey[];

/** Characters of a place that an error repeats: names nobody asked for may be long. */
const LONGEST_PLACE = 500;

/** A fault of the text of a schema, where `#` begins the JSON pointer into it; the whole text is `/schema_json`. */
export function schemaFault(place: Place, code: string, predicate: Text): FieldError {
  const steps = place.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const shown = steps.length > LONGEST_PLACE ? `${steps.slice(0, LONGEST_PLACE)}…` : steps;
  const path = place.length === 0 ? '/schema_json' : `/schema_json#${shown.toWellFormed()}`;
  const name =
    place.length === 0 ? 'schema_json' : place.map(String).join('.').slice(0, LONGEST_PLACE).toWellFormed();
  return {
    in: 'body',
    path,
    code,
    message: { en: `${name} ${predicate.en}`, ja: `${name} ${predicate.ja}` },
  };
}

const REQUIRED = predicates.required;
const NOT_VALID: Text = { en: 'is not valid', ja: 'の値が正しくありません' };

/** What the shape of schemas finds wrong with a value. */
export function faultsOfShape(error: z.ZodError, value: unknown): FieldError[] {
  return error.issues.flatMap((issue) => faultsOfIssue(issue, value));
}

function faultsOfIssue(issue: z.core.$ZodIssue, value: unknown): FieldError[] {
  const fault = (code: string, predicate: Text): FieldError[] => [schemaFault(issue.path, code, predicate)];
  const isMissing = valueAt(value, issue.path) === undefined;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        schemaFault([...issue.path, key], 'unknown_field', {
          en: 'is not known here',
          ja: 'は使えない項目です',
        }),
      );
    case 'invalid_type':
      if (isMissing) return fault('required', REQUIRED);
      return fault('invalid_type', {
        en: `must be of type ${issue.expected}`,
        ja: `は ${issue.expected} 型で指定してください`,
      });
    case 'invalid_value':
      return isMissing
        ? fault('required', predicates.requiredOneOf(issue.values))
        : fault('invalid_value', predicates.oneOf(issue.values));
    case 'invalid_union': {
      // Fields are told apart by their type: the issue stands there, and has the types that there are.
      const kinds = 'options' in issue && Array.isArray(issue.options) ? issue.options : null;
      if (isMissing) return fault('required', kinds ? predicates.requiredOneOf(kinds) : REQUIRED);
      return fault('invalid_value', kinds ? predicates.oneOf(kinds) : NOT_VALID);
    }
    case 'too_small':
      return fault(issue.origin === 'string' ? 'too_short' : 'too_small', {
        en: `must be at least ${issue.minimum}${unit(issue.origin).en}`,
        ja: `は${issue.minimum}${unit(issue.origin).ja}以上で指定してください`,
      });
    case 'too_big':
      return fault(issue.origin === 'string' ? 'too_long' : 'too_large', {
        en: `must be at most ${issue.maximum}${unit(issue.origin).en}`,
        ja: `は${issue.maximum}${unit(issue.origin).ja}以下で指定してください`,
      });
    case 'custom': {
      const code = (issue.params as { code?: string } | undefined)?.code ?? 'invalid_value';
      // A rule that looks for what is missing says what belongs there; of all others the sentence would be about a value.
      if (isMissing && code !== 'required') return fault('required', REQUIRED);
      return fault(code, textOfMessage(issue.message) ?? NOT_VALID);
    }
    default:
      return fault('invalid_format', textOfMessage(issue.message) ?? NOT_VALID);
  }
}

function unit(origin: string): Text {
  if (origin === 'string') return { en: ' characters', ja: '文字' };
  return origin === 'array' ? { en: ' entries', ja: '件' } : { en: '', ja: '' };
}

function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, step) => {
    const isThere = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step);
    return isThere ? (inner as Record<PropertyKey, unknown>)[step] : undefined;
  }, value);
}
