import { z } from 'zod';

/** A JSON Schema of the dialect that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: boolean | JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  /** What a parameter schema says of itself where a transform hides what callers send. */
  jsonSchema?: JsonSchema;
  [keyword: string]: unknown;
};

/** What a schema takes (`input`) or what it answers (`output`). */
export type Side = 'input' | 'output';

/** The schemas by their names, and the named shapes (`meta({ id })`) that they refer to as `#/$defs/<id>`. */
export type Converted = { schemas: Record<string, JsonSchema>; shapes: Record<string, JsonSchema> };

/** Turns zod schemas into JSON Schema as readers of an API expect it. */
export function toJsonSchemas(named: Record<string, z.ZodType>, side: Side): Converted {
  const whole = z.toJSONSchema(z.object(named), {
    io: side,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // Examples of a schema that transforms are left out for inputs; ours are written as callers send them.
      const examples = z.globalRegistry.get(zodSchema as unknown as z.ZodType)?.examples;
      if (examples && !jsonSchema.examples) jsonSchema.examples = examples as never;
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const tidied = (schemas: Record<string, JsonSchema> = {}) =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema, side)]));
  return { schemas: tidied(whole.properties), shapes: tidied(whole.$defs) };
}

/** Applies `change` to every schema below this one, then to this one. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (one: JsonSchema) => mapSchema(one, change);
  const copy: JsonSchema = { ...schema };
  if (copy.properties) {
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, property]) => [name, inner(property)]),
    );
  }
  for (const keyword of ['additionalProperties', 'propertyNames', 'items'] as const) {
    const one = copy[keyword];
    if (typeof one === 'object') copy[keyword] = inner(one);
  }
  for (const keyword of ['prefixItems', 'anyOf', 'oneOf', 'allOf'] as const) {
    const several = copy[keyword];
    if (several) copy[keyword] = several.map(inner);
  }
  return change(copy);
}

function tidy(schema: JsonSchema, side: Side): JsonSchema {
  return mapSchema(schema, (one) => {
    const plain = withoutNoise(withNullInType(asList(asCallersSend(one))));
    if (side === 'input') return withDefaultInWords(plain);
    // Clients must tolerate new fields, so answers stay open.
    if (plain.additionalProperties === false) delete plain.additionalProperties;
    return plain;
  });
}

/** Makers of clients take a field with a default for one that is always there, and then ask for it in requests. */
function withDefaultInWords({ default: preset, ...schema }: JsonSchema): JsonSchema {
  if (preset === undefined || typeof preset === 'object') return schema;
  const words = [schema.description, `\`${preset}\` unless sent.`].filter(Boolean).join(' ');
  return { ...schema, description: words };
}

function asCallersSend(schema: JsonSchema): JsonSchema {
  if (!schema.jsonSchema) return schema;
  const { jsonSchema, description, examples, default: preset } = schema;
  return {
    ...(description !== undefined && { description }),
    ...jsonSchema,
    ...(examples && { examples }),
    ...(preset !== undefined && { default: preset }),
  };
}

/** `anyOf: [string, null]` as the one schema that people read faster: `type: [string, null]`. */
function withNullInType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf?.length !== 2 || anyOf[1]?.type !== 'null') return schema;
  const [value] = anyOf as [JsonSchema, JsonSchema];
  const types = value.type === undefined ? [] : [value.type].flat();
  if (types.length === 0 || 'const' in value) return schema;
  const choices = value.enum ? { enum: [...value.enum, null] } : {};
  return { ...value, ...rest, ...choices, type: [...types, 'null'] };
}

/** A tuple of equal parts is a list of so many. */
function asList(schema: JsonSchema): JsonSchema {
  const { prefixItems, ...rest } = schema;
  if (!prefixItems || new Set(prefixItems.map((part) => JSON.stringify(part))).size > 1) return schema;
  return { ...rest, items: prefixItems[0]! };
}

/** Bounds and patterns that only say what the type or the format says already. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, pattern, propertyNames, ...rest } = schema;
  const isFormat = schema.format === 'date' || schema.format === 'date-time';
  const isAnyName = propertyNames && Object.keys(propertyNames).join() === 'type';
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && !isFormat && { pattern }),
    ...(propertyNames && !isAnyName && { propertyNames }),
  };
}
