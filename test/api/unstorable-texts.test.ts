import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../api/endpoints.ts';

/** The texts that a body of an endpoint may have: each with the names that lead to it. */
function* textsIn(schema: unknown, names: string[], above: unknown[] = []): Generator<[string[], z.ZodType]> {
  if (!(schema instanceof z.ZodType) || above.includes(schema)) return;
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  if (def.type === 'string') yield [names, schema];
  for (const [name, part] of Object.entries((def.shape ?? {}) as object))
    yield* textsIn(part, [...names, name], [...above, schema]);
  const parts = [def.element, def.valueType, def.innerType, def.in, def.left, def.right];
  for (const part of [...parts, ...((def.options ?? def.items ?? []) as unknown[])])
    yield* textsIn(part, names, [...above, schema]);
}

test('NUL is in no ID and no answer that a body brings: the database has no such text', () => {
  const passed = endpoints.flatMap((endpoint) => {
    const { body, fields, or } = endpoint as { body?: unknown; fields?: unknown; or?: { body?: unknown } };
    return [body, fields, or?.body]
      .flatMap((schema) => [...textsIn(schema, [])])
      .filter(([names]) => /(^|_)id$/.test(names.at(-1) ?? '') || names.includes('answers'))
      .filter(([names]) => !names.includes('filter') && !names.includes('external_id'))
      .filter(([, schema]) => ['\0', 'inv_\0', '\ud800'].some((text) => schema.safeParse(text).success))
      .map(([names]) => `${endpoint.id} ${names.join('/')}`);
  });
  assert.deepEqual(passed, []);
});
