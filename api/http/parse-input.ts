import { z } from 'zod';
import { type FieldError, invalidAll, notFound } from '../../shared/kernel/failure.ts';
import { predicates } from '../../shared/kernel/field-error-words.ts';
import { joined, sameText, type Text } from '../../shared/kernel/language.ts';
import { isStorable } from '../../shared/kernel/schema.ts';
import { compiled } from './compiled.ts';
import { bodyOf, type Endpoint } from './endpoint.ts';
import { distinct, fieldErrorsOf, unknownParameters } from './field-errors.ts';
import { MOST_VALUES } from './json.ts';
import { refusedNames } from './refused-names.ts';

export type RawInput = { params: Record<string, string>; query: URLSearchParams; body: unknown };
export type ParsedInput = { params: unknown; query: unknown; body: unknown };

/** The body of a call that takes none: nothing, or an object without fields. */
const NO_FIELDS = z.strictObject({});

/**
 * Checks a request against the schemas of its endpoint and names every fault, not only the first: but of a body with more values
 * than most calls take, where each wrong one would cost a fault of its own. Errors: `validation_failed`; `not_found` where the path's ID has not the form of one.
 */
export function parseInput(endpoint: Endpoint, raw: RawInput): ParsedInput {
  const params = endpoint.params && compiled(endpoint.params).safeParse(raw.params);
  if (params && !params.success) throw notFound();
  const query = parseQuery(endpoint.query, raw.query);
  const body = parseBody(endpoint, raw.body);
  const faults = distinct([...query.faults, ...refusedNames(raw.body), ...body.faults]);
  if (faults.length > 0) throw invalidAll(faults);
  return { params: params?.data, query: query.value, body: body.value };
}

type Part = { value: unknown; faults: FieldError[] };

function parseQuery(schema: z.ZodType | undefined, query: URLSearchParams): Part {
  const values: Record<string, string> = Object.create(null);
  const faults: FieldError[] = [];
  const fault = (path: string, code: string, predicate: Text) =>
    faults.push({ in: 'query', path, code, message: joined([sameText(path), predicate], ' ') });
  for (const [name, value] of query) {
    if (name in values) fault(name, 'repeated_parameter', predicates.repeated_parameter);
    else if (!isStorable(value)) fault(name, 'invalid_characters', predicates.nul);
    values[name] = value;
  }
  if (faults.length > 0) return { value: undefined, faults };
  if (!schema) return { value: undefined, faults: unknownParameters(Object.keys(values), []) };
  const result = compiled(schema).safeParse({ ...values });
  if (result.success) return { value: result.data, faults: [] };
  // All are plain objects; a test holds that.
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return { value: undefined, faults: fieldErrorsOf(result.error, 'query', values, names) };
}

function parseBody(endpoint: Endpoint, body: unknown): Part {
  const schema = bodyOf(endpoint);
  if (!schema && body === undefined) return { value: undefined, faults: [] };
  // What zod's own `validate` gives its schemas, whose answer has no faults: a test holds that a parse heeds it.
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    abortEarly: holdsMoreThan(MOST_VALUES, body),
  };
  const result = compiled(schema ?? NO_FIELDS).safeParse(body ?? {}, context);
  return result.success
    ? { value: result.data, faults: [] }
    : { value: undefined, faults: fieldErrorsOf(result.error, 'body', body) };
}

/** Whether a parsed body has more members and elements than so many, at all depths together. */
function holdsMoreThan(most: number, body: unknown): boolean {
  const open: unknown[] = [body];
  for (let values = 0; open.length > 0; ) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const parts = Array.isArray(value) ? value : Object.values(value);
    values += parts.length;
    if (values > most) return true;
    for (const part of parts) open.push(part);
  }
  return false;
}
