import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../api/endpoints.ts';
import { bodyOf, type Endpoint } from '../../../api/http/endpoint.ts';
import { domains } from '../../../shared/domains.ts';

const pathOf = ({ method, path }: Endpoint & { method?: string }) => `${method} ${path}`;
const byCall = new Map(endpoints.map((endpoint) => [pathOf(endpoint), endpoint]));

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
        assert.equal(bodyOf(single) ?? null, action.body ?? null);
      });
    }
  }
});
