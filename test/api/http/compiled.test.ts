import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints.ts';
import { compiled } from '../../../api/http/compiled.ts';
import { bodyOf } from '../../../api/http/endpoint.ts';
import { drawsOf } from '../../support/random-draws.ts';
import { changedValue, randomValue } from '../../support/random-values.ts';

const schemas = endpoints.flatMap((endpoint) =>
  [
    { of: `${endpoint.id} reply`, schema: 'reply' in endpoint ? endpoint.reply : undefined },
    { of: `${endpoint.id} body`, schema: bodyOf(endpoint) },
    { of: `${endpoint.id} query`, schema: endpoint.query },
    { of: `${endpoint.id} params`, schema: endpoint.params },
  ].filter((each): each is { of: string; schema: z.ZodType } => each.schema instanceof z.ZodType),
);

/** What a schema says of a value: what it makes of it, to the order of members, or each fault. */
function told(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return result.success
    ? { data: result.data, text: JSON.stringify(result.data) }
    : { issues: result.error.issues };
}

test('a compiled schema says of every value what the schema says, to the byte', () => {
  const draws = drawsOf(1);
  let accepted = 0;
  for (const { of, schema } of schemas) {
    let value = randomValue(schema, draws);
    if (schema.safeParse(value).success) accepted += 1;
    for (let round = 0; round < 6; round += 1) {
      assert.deepEqual(
        told(compiled(schema), value),
        told(schema, value),
        `${of} of ${JSON.stringify(value)}`,
      );
      value = changedValue(round === 2 ? randomValue(schema, draws) : value, draws);
    }
  }
  assert.ok(accepted > schemas.length * 0.8, `${accepted} of ${schemas.length} first values are accepted`);
});

test('each answer is checked by a generated function', () => {
  const replies = endpoints.flatMap((endpoint) => ('reply' in endpoint && endpoint.reply ? [endpoint] : []));
  for (const { id, reply } of replies) {
    assert.doesNotThrow(() => z.compile(reply as z.ZodType, { strict: true }), id);
  }
});
