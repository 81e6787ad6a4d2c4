import type { FileField } from '../files/declarations.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolved, type Shapes } from './shapes.ts';

const TOGETHER: JsonSchema = {
  type: 'string',
  contentMediaType: 'application/json',
  description: 'The other fields together as one JSON object, instead of each by itself.',
};

/** The request body of a call that takes a form with a file (RFC 7578). */
export function formBodyOf(id: string, file: FileField, shapes: Shapes): object {
  const given = shapes.inputs[`${id}.body`];
  const fields: JsonSchema = given ? resolved(given, shapes.components) : { properties: {} };
  const properties = Object.fromEntries(
    Object.entries(fields.properties ?? {}).map(([name, field]) => [
      name,
      fields.required?.includes(name) ? needed(field) : field,
    ]),
  );
  const limit = `${file.limit / 1024 / 1024} MiB at most.`;
  const description = [file.description, limit].filter(Boolean).join(' ');
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      [file.field]: { type: 'string', format: 'binary', description },
      ...properties,
      ...(given && { options: TOGETHER }),
    },
    required: [file.field],
    additionalProperties: false,
  };
  const example = {
    [file.field]: '(the bytes of the file)',
    ...(given && (exampleOf(fields, shapes.components, `${id} form`) as object)),
  };
  const encoding = { [file.field]: { contentType: 'application/octet-stream' } };
  return { required: true, content: { 'multipart/form-data': { schema, encoding, example } } };
}

/** It may stand in `options` instead, so the schema cannot require it. */
function needed(field: JsonSchema): JsonSchema {
  const { description, ...rest } = field;
  return { ...rest, description: [description, 'Required, here or in `options`.'].filter(Boolean).join(' ') };
}
