import { contentKinds } from '../../../shared/platform/intake/content-kind.ts';
import type { FileField } from '../files/declarations.ts';
import { TOGETHER } from '../files/fields.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolved, type Shapes } from './shapes.ts';

const ALL_FIELDS: JsonSchema = {
  type: 'string',
  contentMediaType: 'application/json',
  description: 'The other fields together as one JSON object, instead of each by itself.',
};

/** The request body of a call that takes a form with files (RFC 7578), or the file itself where it may be sent so. */
export function formBodyOf(id: string, file: FileField, shapes: Shapes, together = TOGETHER) {
  const given = shapes.inputs[`${id}.body`];
  const fields: JsonSchema = given ? resolved(given, shapes.components) : { properties: {} };
  const properties = Object.fromEntries(
    Object.entries(fields.properties ?? {}).map(([name, field]) => [
      name,
      fields.required?.includes(name) ? needed(field, together) : field,
    ]),
  );
  const limit = `${file.limit / 1024 / 1024} MiB at most.`;
  const description = [file.description, limit].filter(Boolean).join(' ');
  const one: JsonSchema = { type: 'string', format: 'binary', description };
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      [file.field]: file.most === undefined ? one : severalOf(one, file.most),
      ...properties,
      ...(given && { [together]: ALL_FIELDS }),
    },
    required: [file.field],
    additionalProperties: false,
  };
  const example = {
    [file.field]: file.most === undefined ? BYTES : [BYTES],
    ...(given && (exampleOf(fields, shapes.components, `${id} form`) as object)),
  };
  const types = file.accepts?.map((kind) => contentKinds[kind]) ?? ['application/octet-stream'];
  const encoding = { [file.field]: { contentType: types.join(', ') } };
  const raw = file.raw ? types.map((type) => [type, { schema: one }] as const) : [];
  const form = ['multipart/form-data', { schema, encoding, example }] as const;
  const content: Record<string, object> = Object.fromEntries(file.raw === 'only' ? raw : [form, ...raw]);
  return { required: true, content };
}

/** What stands for a file in an example. */
const BYTES = '(the bytes of the file)';

/** A field that is repeated in the form, once for each file. */
function severalOf({ description, ...items }: JsonSchema, most: number): JsonSchema {
  return { type: 'array', items, minItems: 1, maxItems: most, ...(description && { description }) };
}

/** It may stand in the field of all instead, so the schema cannot require it. */
function needed(field: JsonSchema, together: string): JsonSchema {
  const { description, ...rest } = field;
  return {
    ...rest,
    description: [description, `Required, here or in \`${together}\`.`].filter(Boolean).join(' '),
  };
}
