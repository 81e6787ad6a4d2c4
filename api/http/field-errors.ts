import type { z } from 'zod';
import { type FieldError, MOST_FIELD_ERRORS } from '../../shared/kernel/failure.ts';
import { DecimalSource } from '../../shared/kernel/schema.ts';

/**
 * The issues of a failed parse as the API names them: one code and one sentence each, at its place, 100 at most. Where
 * two bounds are broken at once the later, narrower one is reported.
 */
export function fieldErrorsOf(error: z.ZodError, place: 'body' | 'query', input: unknown): FieldError[] {
  const faults: FieldError[] = [];
  for (const issue of error.issues) {
    faults.push(...faultsOfIssue(issue, place, input));
    if (faults.length >= MOST_FIELD_ERRORS) break;
  }
  return distinct(faults);
}

/** The first 100 faults, with one for each place and code. */
export function distinct(faults: readonly FieldError[]): FieldError[] {
  const byPlace = new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault]));
  return [...byPlace.values()].slice(0, MOST_FIELD_ERRORS);
}

function faultsOfIssue(issue: z.core.$ZodIssue, place: 'body' | 'query', input: unknown): FieldError[] {
  const at = (path: PropertyKey[], code: string, message: string): FieldError => {
    const name = path.length === 0 ? (place === 'body' ? 'The body' : 'The query') : shownPath(path);
    return { in: place, path: pointer(path, place), code, message: `${name} ${message}` };
  };
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_FIELD_ERRORS)
        .map((key) =>
          place === 'body'
            ? at([...issue.path, key], 'unknown_field', 'is no field of this request')
            : at([key], 'unknown_parameter', 'is no parameter of this endpoint'),
        );
    case 'invalid_type': {
      const value = valueAt(input, issue.path);
      if (value === undefined) return [at(issue.path, 'required', 'is required')];
      if (value instanceof DecimalSource) return [at(issue.path, ...inexact(value, issue.expected))];
      return [at(issue.path, 'invalid_type', `must be ${article(issue.expected)}`)];
    }
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined
        ? [at(issue.path, 'required', 'is required')]
        : [
            at(
              issue.path,
              'invalid_value',
              `must be ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`,
            ),
          ];
    case 'too_small':
      return [at(issue.path, issue.origin === 'string' ? 'too_short' : 'too_small', tooSmall(issue))];
    case 'too_big':
      return [at(issue.path, issue.origin === 'string' ? 'too_long' : 'too_large', tooBig(issue))];
    case 'invalid_format':
      return [
        at(issue.path, 'invalid_format', spoken(issue.message) ?? `must be of the form ${issue.format}`),
      ];
    case 'custom': {
      const code = (issue.params as { code?: string } | undefined)?.code ?? 'invalid_value';
      return [at(issue.path, code, spoken(issue.message) ?? 'is not valid')];
    }
    default:
      return valueAt(input, issue.path) === undefined
        ? [at(issue.path, 'required', 'is required')]
        : [at(issue.path, 'invalid_value', spoken(issue.message) ?? 'is not valid')];
  }
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): string {
  if (issue.origin === 'string')
    return issue.minimum === 1 ? 'must not be empty' : `must have ${issue.minimum} characters or more`;
  if (issue.origin === 'array') return `must have ${issue.minimum} or more`;
  return `must be ${issue.minimum} or more`;
}

function tooBig(issue: z.core.$ZodIssueTooBig): string {
  if (issue.origin === 'string') return `must have ${issue.maximum} characters or fewer`;
  if (issue.origin === 'array') return `must have ${issue.maximum} or fewer`;
  return `must be ${issue.maximum} or less`;
}

/** The fault of a number that JavaScript does not hold exactly, in a field that is not a decimal: code and predicate. */
function inexact({ text }: DecimalSource, expected: string): [code: string, message: string] {
  const takesNumbers = expected === 'number' || expected === 'int';
  if (!takesNumbers) return ['invalid_type', `must be ${article(expected)}`];
  if (!/^-?\d+$/.test(text)) return ['invalid_type', 'must be a whole number'];
  return text.startsWith('-')
    ? ['too_small', `must be ${Number.MIN_SAFE_INTEGER} or more`]
    : ['too_large', `must be ${Number.MAX_SAFE_INTEGER} or less`];
}

function article(type: string): string {
  const words: Record<string, string> = {
    int: 'a whole number',
    array: 'an array',
    object: 'an object',
    null: 'null',
  };
  return words[type] ?? `a ${type}`;
}

/** Our own schemas speak in whole predicates ("must be ..."); the library's default sentences are not shown. */
function spoken(message: string): string | undefined {
  return /^(must|is|names|does|needs|has) /.test(message) ? message : undefined;
}

/** Characters of a path that an answer repeats: a hundred faults may stand below names of a megabyte. */
const LONGEST_PATH = 500;

/** RFC 6901 for the body, the bare name for a parameter; the end of a path beyond 500 characters is left out. */
export function pointer(path: PropertyKey[], place: 'body' | 'query'): string {
  if (place === 'query') return shownPath(path);
  return cut(path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
}

/** The path as a sentence names it, for example `line_items.0.quantity`. */
export function shownPath(path: PropertyKey[]): string {
  return cut(path.map(String).join('.'));
}

function cut(text: string): string {
  return text.length <= LONGEST_PATH ? text : `${text.slice(0, LONGEST_PATH).toWellFormed()}…`;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isThere ? (value as Record<PropertyKey, unknown>)[step] : undefined;
  }, input);
}
