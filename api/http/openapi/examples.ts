import type { JsonSchema } from './json-schema.ts';
import { resolved } from './shapes.ts';

/**
 * An example composed from the examples of the fields, for example `{ "first_name": "花子", ... }`. Strings need an
 * example, a choice or a format of their own; a field without says so by its path. Throws what cannot be composed.
 */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>, at = ''): unknown {
  const one = resolved(schema, components);
  const [given] = one.examples ?? [];
  if (given !== undefined) return given;
  if ('const' in one) return one.const;
  if (one.default !== undefined && typeof one.default !== 'object') return one.default;
  if (one.enum) return one.enum[0];
  const [choice] = one.anyOf ?? one.oneOf ?? [];
  if (choice) return exampleOf(choice, components, at);
  return ofType(one, components, at);
}

/** Fields that may be left out are, where they have no example. */
function ofObject(schema: JsonSchema, components: Record<string, JsonSchema>, at: string): unknown {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    try {
      return [[name, exampleOf(property, components, `${at}/${name}`)]];
    } catch (error) {
      if (schema.required?.includes(name)) throw error;
      return [];
    }
  });
  return Object.fromEntries(entries);
}

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-04-01T00:30:00.000Z',
  date: '2026-04-01',
  email: 'hanako.yamada@example.co.jp',
  uri: 'https://www.example.co.jp/',
};

function ofType(schema: JsonSchema, components: Record<string, JsonSchema>, at: string): unknown {
  const type = [schema.type].flat()[0];
  switch (type) {
    case 'object':
      return ofObject(schema, components, at);
    case 'array':
      return typeof schema.items === 'object' ? [exampleOf(schema.items, components, `${at}/0`)] : [];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string': {
      const known = BY_FORMAT[schema.format ?? ''];
      if (known !== undefined) return known;
    }
  }
  throw new Error(`${at || '/'} has no example: give its schema .meta({ examples: [...] })`);
}
