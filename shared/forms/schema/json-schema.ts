import { z } from 'zod';
import { LONGEST_OTHER } from '../answers/choices.ts';
import { DATE, DATE_TIME, PHONE, POSTAL_CODE, TIME, WEB_ADDRESS } from '../answers/grammar.ts';
import { LONGEST_LINE } from '../answers/lines.ts';
import { marksOf } from '../answers/numbers.ts';
import { LONGEST_PART, partsOf } from '../answers/parts.ts';
import { certainPages } from './pages.ts';
import { type Field, type FieldOf, fieldsOf, type Option, type Schema } from './schema.ts';
import { inBoth } from './texts.ts';
import { LONGEST_TEXT } from './words.ts';

/** A JSON Schema of draft 2020-12, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Text as it is stored: neither NUL nor half a surrogate pair, and no space at its ends; in one line without line ends and letters that turn its order. */
const LINE = '^(?!\\s)(?![\\s\\S]*\\s$)[^\\u0000\\n\\r\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]*$';
const LINES = '^(?!\\s)(?![\\s\\S]*\\s$)[^\\u0000\\r\\ud800-\\udfff]*$';

/** The JSON Schema of the `data` of a form that can be published, as it is stored. Required is what is so whatever is answered. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const fields = fieldsOf(schema).filter(({ type }) => type !== 'statement');
  const certain = certainPages(schema);
  const required = schema.pages
    .filter((_, number) => certain.has(number))
    .flatMap((page) => page.fields)
    .filter(({ show_if, required: isRequired }) => isRequired && show_if === undefined)
    .map(({ id }) => id);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [
        field.id,
        { title: inBoth(field.label)[schema.locale], ...answerSchema(field) },
      ]),
    ),
    required,
    additionalProperties: false,
  };
}

function answerSchema(field: Field): JsonSchema {
  switch (field.type) {
    case 'short_text':
    case 'long_text': {
      const { min_length = 0, max_length = LONGEST_TEXT[field.type] } = field;
      const lengths = { minLength: Math.max(min_length, 1), maxLength: max_length };
      return { type: 'string', pattern: field.type === 'short_text' ? LINE : LINES, ...lengths };
    }
    case 'email':
      return matching(z.regexes.html5Email, { format: 'email', maxLength: LONGEST_LINE.email });
    case 'phone':
      return matching(PHONE, { maxLength: LONGEST_LINE.phone });
    case 'url':
      return matching(WEB_ADDRESS, { maxLength: LONGEST_LINE.url, allOf: [{ pattern: LINE }] });
    case 'number':
      return numberSchema(field);
    case 'date':
      return matching(DATE, { format: 'date' });
    case 'time':
      return matching(TIME);
    case 'datetime':
      return matching(DATE_TIME);
    case 'choice':
    case 'dropdown':
      return field.allow_other ? { anyOf: [oneOf(field.options), OTHER] } : oneOf(field.options);
    case 'multi_choice':
      return choicesSchema(field);
    case 'yes_no':
      return { type: 'boolean' };
    case 'consent':
      return { const: true };
    case 'rating':
    case 'nps':
    case 'scale': {
      const [minimum, maximum] = marksOf(field);
      return { type: 'integer', minimum, maximum };
    }
    case 'matrix':
      return matrixSchema(field);
    case 'ranking':
      return { ...listOf(oneOf(field.options)), minItems: field.options.length };
    case 'name':
    case 'address':
      return partsSchema(field);
    case 'file':
      return { ...listOf({ type: 'string', pattern: '^ffile_' }), maxItems: field.max_files ?? 1 };
    case 'statement':
      return {};
  }
}

const OTHER: JsonSchema = {
  type: 'object',
  properties: { other: { type: 'string', pattern: LINE, minLength: 1, maxLength: LONGEST_OTHER } },
  required: ['other'],
  additionalProperties: false,
};

function matching({ source }: RegExp, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', pattern: source, ...more };
}

/** A decimal in shortest form with the decimals of its field. JSON Schema cannot compare the texts of decimals. */
function numberSchema({ decimals = 0 }: FieldOf<'number'>): JsonSchema {
  const places = decimals === 0 ? {} : { description: `At most ${decimals} decimals.` };
  const whole = '(?:0|-?[1-9]\\d{0,14})';
  const part = `-?(?:0|[1-9]\\d{0,14})\\.\\d{0,${decimals - 1}}[1-9]`;
  return { type: 'string', pattern: decimals === 0 ? `^${whole}$` : `^(?:${whole}|${part})$`, ...places };
}

function oneOf(options: readonly Option[]): JsonSchema {
  return { enum: options.map(({ id }) => id) };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items, minItems: 1, uniqueItems: true };
}

function choicesSchema({
  options,
  allow_other,
  min_selected = 1,
  max_selected,
}: FieldOf<'multi_choice'>): JsonSchema {
  const most = allow_other ? options.length + 1 : options.length;
  const list = listOf(allow_other ? { anyOf: [oneOf(options), OTHER] } : oneOf(options));
  const others = allow_other && { contains: { type: 'object' }, minContains: 0, maxContains: 1 };
  return {
    ...list,
    ...others,
    minItems: Math.max(min_selected, 1),
    maxItems: Math.min(max_selected ?? most, most),
  };
}

function matrixSchema({ rows, columns, multiple, required }: FieldOf<'matrix'>): JsonSchema {
  const row = multiple ? listOf(oneOf(columns)) : oneOf(columns);
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(({ id }) => [id, row])),
    ...(required ? { required: rows.map(({ id }) => id) } : { minProperties: 1 }),
    additionalProperties: false,
  };
}

function partsSchema(field: FieldOf<'name' | 'address'>): JsonSchema {
  const { all, needed } = partsOf(field);
  const part = { type: 'string', pattern: LINE, minLength: 1, maxLength: LONGEST_PART[field.type] };
  const partSchema = (name: string): JsonSchema => (name === 'postal_code' ? matching(POSTAL_CODE) : part);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map((name) => [name, partSchema(name)])),
    required: needed,
    additionalProperties: false,
  };
}
