import type { z } from 'zod';
import { type Converted, type JsonSchema, mapSchema, toJsonSchemas } from './json-schema.ts';

/** All schemas of the API as JSON Schema, with the named shapes once, under the names that clients will see. */
export type Shapes = {
  inputs: Record<string, JsonSchema>;
  outputs: Record<string, JsonSchema>;
  /** The content of `components.schemas`. */
  components: Record<string, JsonSchema>;
};

const SHAPE = '#/$defs/';
const COMPONENT = '#/components/schemas/';

/**
 * Collects what requests take and what replies answer. A shape that is taken in another form than it is answered
 * (closed instead of open, defaults instead of required fields) stands a second time, with `Input` behind its name.
 */
export function collectShapes(inputs: Record<string, z.ZodType>, outputs: Record<string, z.ZodType>): Shapes {
  const taken = toJsonSchemas(inputs, 'input');
  const answered = toJsonSchemas(outputs, 'output');
  const different = differing(taken.shapes, answered.shapes);
  const inputName = (id: string) => (different.has(id) ? `${id}Input` : id);
  const components: Record<string, JsonSchema> = {};
  for (const [id, shape] of Object.entries(answered.shapes)) components[id] = pointed(shape, (name) => name);
  for (const [id, shape] of Object.entries(taken.shapes)) {
    const name = inputName(id);
    if (different.has(id) && (name in taken.shapes || name in answered.shapes)) {
      throw new Error(`The shape ${id} is taken in another form than answered, and ${name} is in use`);
    }
    components[name] = pointed(shape, inputName);
  }
  return {
    inputs: pointedAll(taken, inputName),
    outputs: pointedAll(answered, (name) => name),
    components: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The shapes that are both taken and answered, but not in the same form, or that hold such a shape. */
function differing(taken: Record<string, JsonSchema>, answered: Record<string, JsonSchema>): Set<string> {
  const both = Object.keys(taken).filter((id) => id in answered);
  const different = new Set(both.filter((id) => JSON.stringify(taken[id]) !== JSON.stringify(answered[id])));
  for (let before = -1; before !== different.size; ) {
    before = different.size;
    for (const id of both) if (namesIn(taken[id]!).some((name) => different.has(name))) different.add(id);
  }
  return different;
}

function namesIn(schema: JsonSchema): string[] {
  const names: string[] = [];
  mapSchema(schema, (one) => {
    if (one.$ref) names.push(one.$ref.slice(SHAPE.length));
    return one;
  });
  return names;
}

function pointed(schema: JsonSchema, nameOf: (id: string) => string): JsonSchema {
  return mapSchema(schema, (one) =>
    one.$ref ? { ...one, $ref: COMPONENT + nameOf(one.$ref.slice(SHAPE.length)) } : one,
  );
}

function pointedAll({ schemas }: Converted, nameOf: (id: string) => string): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, pointed(schema, nameOf)]));
}

/** The schema that a reference leads to, or the schema itself. */
export function resolved(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  if (!schema.$ref) return schema;
  const target = components[schema.$ref.slice(COMPONENT.length)];
  if (!target) throw new Error(`${schema.$ref} leads nowhere`);
  return { ...resolved(target, components), ...without$ref(schema) };
}

function without$ref({ $ref: _ref, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
