import type { z } from 'zod';
import { type FieldError, MOST_FIELD_ERRORS } from '../../shared/kernel/failure.ts';
import { isNamedType, predicates, wholes } from '../../shared/kernel/field-error-words.ts';
import { joined, sameText, type Text, textOfMessage } from '../../shared/kernel/language.ts';
import { DecimalSource } from '../../shared/kernel/schema.ts';

/**
 * The issues of a failed parse as the API names them: one code and one sentence each, at its place, 100 at most. Where
 * two bounds are broken at once the later, narrower one is reported. `parameters`: those that the endpoint takes, which are
 * told beside one that it does not.
 */
export function fieldErrorsOf(
  error: z.ZodError,
  place: 'body' | 'query',
  input: unknown,
  parameters: readonly string[] = [],
): FieldError[] {
  const faults: FieldError[] = [];
  for (const issue of error.issues) {
    const isParameter = place === 'query' && issue.code === 'unrecognized_keys';
    const found = isParameter
      ? unknownParameters(issue.keys, parameters)
      : faultsOfIssue(issue, place, input);
    const is_bound = issue.code === 'too_big' || issue.code === 'too_small';
    faults.push(...(is_bound ? found.filter((fault) => !isOfWrongType(fault, faults)) : found));
    if (faults.length >= MOST_FIELD_ERRORS) break;
  }
  return distinct(faults);
}

/** A fault for each of the names that are no parameters, with those that are. */
export function unknownParameters(names: readonly string[], parameters: readonly string[]): FieldError[] {
  const predicate = predicates.unknownParameter(parameters);
  return names.slice(0, MOST_FIELD_ERRORS).map((name) => {
    const path = pointer([name], 'query');
    return {
      in: 'query',
      path,
      code: 'unknown_parameter',
      message: joined([sameText(path), predicate], ' '),
    };
  });
}

/** The first 100 faults, with one for each place and code. */
export function distinct(faults: readonly FieldError[]): FieldError[] {
  const byPlace = new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault]));
  return [...byPlace.values()].slice(0, MOST_FIELD_ERRORS);
}

/** A text has a length as an array does: what is said of it means nothing where an array is wanted. */
function isOfWrongType(fault: FieldError, faults: readonly FieldError[]): boolean {
  return faults.some(({ path, code }) => code === 'invalid_type' && path === fault.path);
}

function faultsOfIssue(issue: z.core.$ZodIssue, place: 'body' | 'query', input: unknown): FieldError[] {
  const at = (path: PropertyKey[], code: string, predicate: Text): FieldError => {
    const name = path.length === 0 ? wholes[place] : sameText(shownPath(path));
    return { in: place, path: pointer(path, place), code, message: joined([name, predicate], ' ') };
  };
  const said = textOfMessage(issue.message ?? '');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_FIELD_ERRORS)
        .map((key) => at([...issue.path, key], 'unknown_field', predicates.unknown_field));
    case 'invalid_type': {
      const value = valueAt(input, issue.path);
      if (value === undefined) return [at(issue.path, 'required', predicates.required)];
      if (value instanceof DecimalSource) return [at(issue.path, ...inexact(value, issue.expected))];
      return [at(issue.path, 'invalid_type', predicates.type(issue.expected))];
    }
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined
        ? [at(issue.path, 'required', predicates.requiredOneOf(issue.values))]
        : [at(issue.path, 'invalid_value', predicates.oneOf(issue.values))];
    case 'invalid_union': {
      if (valueAt(input, issue.path) === undefined) {
        const kinds = isOfOtherKind(issue) ? predicates.requiredOneOf(issue.options) : predicates.required;
        return [at(issue.path, 'required', kinds)];
      }
      if (said) return [at(issue.path, 'invalid_value', said)];
      if (isOfOtherKind(issue)) return [at(issue.path, 'invalid_value', predicates.oneOf(issue.options))];
      const meant = formMeant(issue);
      if (meant) {
        return meant.flatMap((each) => {
          return faultsOfIssue({ ...each, path: [...issue.path, ...each.path] }, place, input);
        });
      }
      const expected = typesTaken(issue);
      const value = valueAt(input, issue.path);
      if (value instanceof DecimalSource && expected?.includes('number'))
        return [at(issue.path, ...inexact(value, 'number'))];
      return expected
        ? [at(issue.path, 'invalid_type', predicates.anyType(expected))]
        : [at(issue.path, 'invalid_value', predicates.not_valid)];
    }
    case 'too_small':
      return [at(issue.path, issue.origin === 'string' ? 'too_short' : 'too_small', tooSmall(issue))];
    case 'too_big':
      return [at(issue.path, issue.origin === 'string' ? 'too_long' : 'too_large', tooBig(issue))];
    case 'invalid_format':
      return [at(issue.path, 'invalid_format', said ?? form(issue))];
    case 'invalid_key': {
      const [fault] = issue.issues;
      return fault ? faultsOfIssue({ ...fault, path: issue.path } as z.core.$ZodIssue, place, input) : [];
    }
    case 'custom': {
      const code = (issue.params as { code?: string } | undefined)?.code ?? 'invalid_value';
      return [at(issue.path, code, said ?? predicates.not_valid)];
    }
    default:
      return valueAt(input, issue.path) === undefined
        ? [at(issue.path, 'required', predicates.required)]
        : [at(issue.path, 'invalid_value', said ?? predicates.not_valid)];
  }
}

type Union = Extract<z.core.$ZodIssue, { code: 'invalid_union' }>;

/**
 * What is wrong by the first form that takes values of this type, and of this kind where forms are told apart by one; where none
 * takes its kind, which there are. null where no form takes the type, or words that it is not tell more.
 */
function formMeant({ errors }: Union): z.core.$ZodIssue[] | null {
  const ofType = errors.filter((issues) => issues.length > 0 && !issues.some(isOfOtherType));
  const ofKind = ofType.find((issues) => !issues.some(isOfOtherKind));
  if (ofKind) return ofKind;
  const [first] = ofType;
  return first ? first.map((issue) => ({ ...issue, options: kindsTaken(ofType) }) as z.core.$ZodIssue) : null;
}

type OfOtherKind = Union & { options: readonly unknown[] };

function isOfOtherKind(issue: z.core.$ZodIssue): issue is OfOtherKind {
  return issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options);
}

function kindsTaken(forms: readonly z.core.$ZodIssue[][]): unknown[] {
  return [...new Set(forms.flat().flatMap((issue) => (isOfOtherKind(issue) ? issue.options : [])))];
}

function isOfOtherType(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isOfOtherType));
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

/** The types that the forms take, each once; null where something else is wrong with the value. */
function typesTaken({ errors }: Union): string[] | null {
  const types = new Set<string>();
  for (const issue of errors.flat()) {
    const taken = issue.code === 'invalid_union' && issue.path.length === 0 ? typesTaken(issue) : null;
    if (taken) for (const type of taken) types.add(type);
    else if (issue.code !== 'invalid_type') return null;
    else if (isNamedType(issue.expected)) types.add(issue.expected);
  }
  return types.size > 0 ? [...types] : null;
}

/** A form by its name; one that has none by its pattern, as the reference of the API shows it. */
function form({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): Text {
  if (format !== 'regex' || !pattern) return predicates.form(format);
  return predicates.pattern(pattern.replace(/^\/(.*)\/[a-z]*$/, '$1'));
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): Text {
  if (origin === 'string') return minimum === 1 ? predicates.empty : predicates.tooShort(minimum);
  return origin === 'array' ? predicates.tooFew(minimum) : predicates.tooSmall(minimum);
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): Text {
  if (origin === 'string') return predicates.tooLong(maximum);
  return origin === 'array' ? predicates.tooMany(maximum) : predicates.tooLarge(maximum);
}

/** The fault of a number that JavaScript does not hold exactly, in a field that is not a decimal: code and predicate. */
function inexact({ text }: DecimalSource, expected: string): [code: string, predicate: Text] {
  const takesNumbers = expected === 'number' || expected === 'int';
  if (!takesNumbers) return ['invalid_type', predicates.type(expected)];
  if (!/^-?\d+$/.test(text)) return ['invalid_type', predicates.type('int')];
  return text.startsWith('-')
    ? ['too_small', predicates.tooSmall(Number.MIN_SAFE_INTEGER)]
    : ['too_large', predicates.tooLarge(Number.MAX_SAFE_INTEGER)];
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
