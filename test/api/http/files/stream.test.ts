import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Look, stream } from '../../../../api/http/files/stream-declaration.ts';
import { startApp } from '../../../support/app.ts';
import { follow } from '../../../support/streams.ts';
import { until } from '../../../support/until.ts';

const Line = z.strictObject({ text: z.string() });
let looks = 0;
let answer: () => Promise<Look> = async () => ({ events: [], is_over: false });

const app = await startApp({
  time_limits: { heartbeat: 50 },
  endpoints: [
    stream({
      id: 'crm.lines.events',
      path: '/api/v1/crm/lines/events',
      scope: 'crm:read',
      summary: 'Follow lines',
      events: { line: Line },
      topic: () => 'lines',
      look: async () => {
        looks += 1;
        return answer();
      },
    }),
  ],
});
const client = await app.actor();
const headers = { Authorization: `Bearer ${client.actor.secret}` };
const url = `${app.base_url}/api/v1/crm/lines/events`;

test('a reader who goes while the first look is under way leaves nothing that waits', async () => {
  const { promise, resolve } = Promise.withResolvers<Look>();
  answer = () => promise;
  const leaving = new AbortController();
  const before = looks;
  const asking = fetch(url, { headers, signal: leaving.signal }).catch(() => undefined);
  await until('it is looked', () => looks > before);
  leaving.abort();
  await asking;
  // What is answered after the connection broke shows that the server has seen it break.
  await client.get('/nothing');
  resolve({ events: [{ event: 'line', id: '1', data: { text: 'a' } }], is_over: false });
  await until('nobody listens', () => app.context.notices.watched() === 0);
});

test('an answer that fails later ends the stream, and nothing waits', async () => {
  answer = async () => ({ events: [{ event: 'line', id: '1', data: { text: '改\n行' } }], is_over: false });
  const followed = await follow(url, headers);
  await until('a line is told', () => followed.events.length > 0);
  assert.deepEqual(followed.events[0], { event: 'line', id: '1', data: { text: '改\n行' } });
  answer = () => Promise.reject(new Error('The look has failed'));
  await followed.ended;
  assert.equal(app.context.notices.watched(), 0);
});

test('a look that fails at first is a problem like any other', async () => {
  answer = () => Promise.reject(new Error('The look has failed'));
  const reply = await client.get('/crm/lines/events');
  assert.deepEqual([reply.status, reply.body.code], [500, 'internal_error']);
  assert.equal(app.context.notices.watched(), 0);
});
