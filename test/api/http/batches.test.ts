import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints.ts';
import { bodyOf, type Endpoint } from '../../../api/http/endpoint.ts';
import { domains } from '../../../shared/domains.ts';

const pathOf = ({ method, path }: Endpoint & { method?: string }) => `${method} ${path}`;
const byCall = new Map(endpoints.map((endpoint) => [pathOf(endpoint), endpoint]));

/** The fields of a body, each with its schema; `action` is the word that a batch itself is told by. */
function fieldsOf(body: z.ZodType | undefined): Map<string, unknown> {
  const object = body instanceof z.ZodOptional ? body.unwrap() : body;
  const shape = object instanceof z.ZodObject ? object.shape : {};
  return new Map(Object.entries(shape).filter(([name]) => name !== 'action'));
}

describe('every action of a batch', () => {
  for (const { name, actions } of domains.flatMap(({ batches = [] }) => batches)) {
    const batch = endpoints.find(({ id }) => id === `${name}.batch`);
    for (const [word, action] of Object.entries(actions)) {
      test(`${name} ${word} is that of a single call`, () => {
        assert.ok(batch, `${name}.batch is no endpoint`);
        const single = byCall.get(`post ${batch.path.replace(/batch$/, `:id/${word}`)}`);
        assert.ok(single?.kind === 'write', `${word} is no call of one record`);
        assert.equal(single.scope, action.scope);
        assert.equal(single.status ?? 200, action.status ?? 200);
        assert.deepEqual(fieldsOf(bodyOf(single)), fieldsOf(action.body));
      });
    }
  }
});
