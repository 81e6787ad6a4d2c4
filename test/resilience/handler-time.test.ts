import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { read, write } from '../../api/http/endpoint.ts';
import { createContact } from '../../shared/crm/contacts/operations.ts';
import { startApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const reply = z.strictObject({ done: z.boolean() });
const common = { scope: 'crm:read', summary: 'Take long', reply } as const;
let ended = 0;

const own = await freshDatabase({ pool_size: 1, statement_timeout: 600 });
after(() => own.drop());
const app = await startApp({
  database: own,
  time_limits: { handler: 1_000, body: 200 },
  endpoints: [
    read({
      ...{ ...common, id: 'test.statement', method: 'get', path: '/api/v1/statement' },
      handle: async (_, { connection }) => {
        await connection.query('SELECT pg_sleep(60)');
        return { done: true };
      },
    }),
    write({
      ...{ ...common, id: 'test.statements', method: 'post', path: '/api/v1/statements' },
      handle: async (_, work) => {
        try {
          await createContact(work, { first_name: 'too', last_name: 'late' });
          await work.flush();
          for (let n = 0; n < 100; n++) await work.connection.query('SELECT pg_sleep(0.05)');
          return { done: true };
        } finally {
          ended++;
        }
      },
    }),
    read({
      ...{ ...common, id: 'test.idle', method: 'get', path: '/api/v1/idle' },
      handle: async () => {
        await pause(20_000, undefined, { ref: false });
        return { done: true };
      },
    }),
    write({
      ...{ ...common, id: 'test.quick', method: 'post', path: '/api/v1/quick', body: z.strictObject({}) },
      handle: async (_, work) => {
        await work.connection.query('SELECT pg_sleep(0.5)');
        work.nothingChanged();
        return { done: true };
      },
    }),
  ],
});
const client = await app.actor();

function assertUnavailable(answer: Reply): void {
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.body.code, 'unavailable');
  assert.equal(answer.headers.get('retry-after'), '1');
}

async function count(text: string): Promise<number> {
  const [row] = await own.database.withConnection('*', ({ query }) => query<{ count: number }>(text));
  return row!.count;
}

test('503 for a statement that takes too long: the database has cancelled it', async () => {
  assertUnavailable(await client.get('/statement'));
  const sleeping = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%' AND state = 'active'`;
  assert.equal(await count(sleeping), 0);
});

test('503 for many statements that take too long together: nothing of them is committed later', async () => {
  assertUnavailable(await client.post('/statements', undefined, { 'Idempotency-Key': 'late' }));
  await until('the handler has ended', () => ended === 1, 2_000);
  assert.equal(await count('SELECT count(*)::int AS count FROM crm_contacts'), 0);
  assert.equal(await count('SELECT count(*)::int AS count FROM idempotency_keys'), 0);
});

test('503 for one that waits for something else, and its connection is free for the next', async () => {
  assertUnavailable(await client.get('/idle'));
  assert.equal((await client.post('/quick', {})).status, 200);
});

test('200 for one that is longer than a body may take: its body had arrived', async () => {
  assert.equal((await client.post('/quick', {})).status, 200);
});
