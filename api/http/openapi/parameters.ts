import type { HeaderWords } from '../declaration.ts';
import type { Call } from './call.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolved, type Shapes } from './shapes.ts';

type Parameter = { $ref: string } | { name: string; in: string; [field: string]: unknown };

/** Parameters that every list takes in the same form; the others say what differs from list to list. */
const LIST_PARAMETERS = [
  'offset',
  'page',
  'per_page',
  'starting_after',
  'cursor_mode',
  'order',
  'created_after',
  'created_before',
  'updated_after',
  'updated_before',
  'skip_total',
] as const;

/** The parameters of a call: path, query, and the headers that it reads. */
export function parametersOf(call: Call, shapes: Shapes): Parameter[] {
  return [...pathParameters(call, shapes), ...queryParameters(call, shapes), ...headerParameters(call)];
}

/** The content of `components.parameters` that comes from the lists, each taken from one that has it. */
export function listParameters(lists: readonly Call[], shapes: Shapes): Record<string, object> {
  const all = lists.flatMap((list) => ofSchema(shapes.inputs[`${list.id}.query`]!, 'query', shapes, list.id));
  const found = LIST_PARAMETERS.map((name) => [name, all.find((one) => one.name === name)] as const);
  return Object.fromEntries(found.flatMap(([name, one]) => (one ? [[name, one]] : [])));
}

function pathParameters(call: Call, shapes: Shapes): Parameter[] {
  const names = [...call.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!);
  const schema = shapes.inputs[`${call.id}.params`];
  const described = schema ? ofSchema(schema, 'path', shapes, call.id) : [];
  return names.map((name) => {
    const one = described.find((parameter) => parameter.name === name);
    if (!one) throw new Error(`${call.id}: the path names ${name}, but params has no schema for it`);
    return { ...one, description: one.description ?? 'The ID of the record.' };
  });
}

function queryParameters(call: Call, shapes: Shapes): Parameter[] {
  const schema = shapes.inputs[`${call.id}.query`];
  if (!schema) return [];
  const shared: readonly string[] = call.filters ? LIST_PARAMETERS : [];
  return ofSchema(schema, 'query', shapes, call.id).map((one) =>
    shared.includes(one.name) && !call.filters?.includes(one.name)
      ? { $ref: `#/components/parameters/${one.name}` }
      : one,
  );
}

function headerParameters(call: Call): Parameter[] {
  if (!call.house) return [];
  const names = [
    ...(call.repeatable ? ['Idempotency-Key'] : []),
    ...(call.guarded ? ['If-Match'] : []),
    ...(call.method === 'get' && !call.events ? ['If-None-Match'] : []),
    ...(call.media_types ? ['Range', 'If-Range'] : []),
    ...(call.job ? ['Prefer'] : []),
    ...(call.events ? ['Last-Event-ID'] : []),
    'Service-Version',
  ];
  return [
    ...Object.entries(call.hears ?? {}).map(([name, words]) => ofHeader(name, words)),
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** A header that one call hears. The standard that names it says whether it must be there. */
function ofHeader(name: string, { description, example }: HeaderWords): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, example };
}

type Described = { name: string; in: string; description?: string; [field: string]: unknown };

function ofSchema(given: JsonSchema, place: 'path' | 'query', shapes: Shapes, id: string): Described[] {
  const schema = resolved(given, shapes.components);
  if (!schema.properties) throw new Error(`${id}: the parameters are no object`);
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, examples: _examples, ...rest } = property;
    const isRequired = place === 'path' || (schema.required ?? []).includes(name);
    const example =
      place === 'path' || isRequired
        ? exampleOf(property, shapes.components, `${id} ${name}`)
        : property.examples?.[0];
    return {
      name,
      in: place,
      ...(isRequired && { required: true }),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(example !== undefined && { example }),
    };
  });
}
