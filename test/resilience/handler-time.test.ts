import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Endpoint, read, write } from '../../api/http/endpoint.ts';
import { createContact } from '../../shared/crm/contacts/operations.ts';
import { openDatabase } from '../../shared/db/database.ts';
import { startApp } from '../support/app.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const reply = z.strictObject({ done: z.boolean() });
const common = { scope: 'crm:read', summary: 'Take long', reply } as const;
let ended = 0;

const own = await freshDatabase();
after(() => own.drop());
const impatient = openDatabase({ url: own.url, pool_size: 1, statement_timeout: 2_000 });
after(() => impatient.end());
const app = await startApp({
  database: { ...own, database: impatient },
  time_limits: { handler: 5_000 },
  endpoints: [
    read({
      ...common,
      id: 'test.statement',
      method: 'get',
      path: '/api/v1/statement',
      handle: async (_, { connection }) => {
        await connection.query('SELECT pg_sleep(60)');
        return { done: true };
      },
    }),
    write({
      ...common,
      id: 'test.statements',
      method: 'post',
      path: '/api/v1/statements',
      handle: async (_, work) => {
        try {
          await createContact(work, { first_name: 'too', last_name: 'late' });
          await work.flush();
          for (let n = 0; n < 1_000; n++) await work.connection.query('SELECT pg_sleep(0.05)');
          return { done: true };
        } finally {
          ended++;
        }
      },
    }),
    read({
      ...common,
      id: 'test.idle',
      method: 'get',
      path: '/api/v1/idle',
      handle: async () => {
        await pause(60_000, undefined, { ref: false });
        return { done: true };
      },
    }),
    asleep('0'),
  ],
});
const patient = await startApp({ database: own, time_limits: { body: 1_000 }, endpoints: [asleep('1.5')] });
const { actor } = await patient.actor();
const headers = { Authorization: `Bearer ${actor.secret}` };
const client = clientOf(app.base_url, headers);

/** A write whose database takes so many seconds. */
function asleep(seconds: string): Endpoint {
  return write({
    ...common,
    id: 'test.asleep',
    method: 'post',
    path: '/api/v1/asleep',
    body: z.strictObject({}),
    handle: async (_, work) => {
      await work.connection.query(`SELECT pg_sleep(${seconds})`);
      work.nothingChanged();
      return { done: true };
    },
  });
}

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
  await until('the handler has ended', () => ended === 1);
  assert.equal(await count('SELECT count(*)::int AS count FROM crm_contacts'), 0);
  assert.equal(await count('SELECT count(*)::int AS count FROM idempotency_keys'), 0);
});

test('503 for one that waits for something else, and its connection is free for the next', async () => {
  assertUnavailable(await client.get('/idle'));
  assert.equal((await client.post('/asleep', {})).status, 200);
});

test('200 for one that is longer than a body may take: its body had arrived', async () => {
  assert.equal((await clientOf(patient.base_url, headers).post('/asleep', {})).status, 200);
});
