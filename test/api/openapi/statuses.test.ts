import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { Answer } from '../../../api/http/declaration.ts';
import { read } from '../../../api/http/endpoint.ts';
import { startApp } from '../../support/app.ts';

const declared = {
  method: 'get',
  scope: 'public',
  summary: 'Answer with another status',
  reply: z.strictObject({ success: z.literal(true) }),
  handle: async () => new Answer(202, { success: true } as const),
} as const;

const app = await startApp({
  endpoints: [
    read({ ...declared, id: 'health.said', path: '/api/v1/said', also: [202] }),
    read({ ...declared, id: 'health.unsaid', path: '/api/v1/unsaid' }),
  ],
});

describe('a status other than that of success', () => {
  it('is answered where the endpoint declares it', async () => {
    const reply = await app.anonymous.get('/said');
    assert.deepEqual([reply.status, reply.body], [202, { success: true }]);
  });

  it('is a fault of ours where it does not: the text about the API must not lie', async () => {
    const reply = await app.anonymous.get('/unsaid');
    assert.deepEqual([reply.status, reply.body.code], [500, 'internal_error']);
  });
});
