import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';
import { ownServer } from './own-server.ts';
import { assertExactlyOnce, resent, sendContacts } from './senders.ts';

const folder = mkdtempSync(join(tmpdir(), 'database-away-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const server = await ownServer();
const environment = { DATABASE_URL: server.url, DATA_DIR: folder };
const port = await freePort();
const base_url = `http://127.0.0.1:${port}`;
const actor = await newActor(server.database);
const client = clientOf(base_url, { Authorization: `Bearer ${actor.secret}` });
const api = await startApi(port, environment);
const workers = await startWorkers(environment);

/** So many requests at a time. */
const PARALLEL = 8;

describe('while the database is away for five seconds', () => {
  test('under load every answer is 503 with Retry-After, and afterwards each record is there once', async (context) => {
    const senders = sendContacts(base_url, actor.secret, { count: 200, parallel: PARALLEL, gap: 20 });
    const acknowledged = () => senders.acknowledged_at.length;
    await until('some are acknowledged', () => acknowledged() >= 50);
    const [mail] = await askForMails(server.database, 'before', 1);
    await server.takeAway('SIGQUIT');
    const away_at = performance.now();
    // What was committed before may be answered a moment later.
    await until('everybody is refused', () => {
      const refused = senders.wanted.filter(({ id, answers }) => id === null && answers.at(-1) === 503);
      return refused.length === PARALLEL;
    });
    const before_outage = acknowledged();
    await pause(5_000);
    assert.equal(acknowledged(), before_outage);
    await server.bringBack();
    const back_at = performance.now();
    await until('the API acknowledges again', () => acknowledged() > before_outage);
    const recovered = Math.max(0, senders.acknowledged_at[before_outage]! - back_at);
    await senders.done;
    for (const { status, code, retry_after } of senders.refusals) {
      assert.deepEqual({ status, code, retry_after }, { status: 503, code: 'unavailable', retry_after: '1' });
    }
    assert(senders.wanted.every(({ answers }) => !answers.includes('cut')));
    await assertExactlyOnce(server.database, actor.organization_id, senders.wanted);
    // Whether it arrived nobody can know when the server went away in the middle of sending it.
    await until('the mail that was asked for before has ended', async () => {
      const [state] = await mailStates(server.database, [mail!]);
      return ['sent', 'unknown'].includes(state!.status);
    });
    context.diagnostic(
      `200 sent, ${resent(senders.wanted)} sent again, ${senders.refusals.length} times 503, 0 lost, 0 doubled; ` +
        `away ${Math.round(back_at - away_at)} ms, first acknowledgement ${Math.round(recovered)} ms after it was back`,
    );
  });
});

describe('while the database is shut down', () => {
  before(() => server.takeAway('SIGINT'));

  test('503 for what needs it, whether it reads, writes or signs in', async () => {
    for (const reply of [
      await client.get('/crm/contacts'),
      await client.get('/events'),
      await client.post('/crm/contacts', { first_name: 'a', last_name: 'b' }),
      await client.post('/auth/sign-in/email', { email: 'a@example.com', password: 'correct horse' }),
    ]) {
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.body.code, 'unavailable');
      assert.equal(reply.headers.get('retry-after'), '1');
      assert.doesNotMatch(reply.text, /ECONN|postgres|127\.0\.0\.1/);
    }
  });

  test('the process says that it lives, that it is not ready, and its numbers', async () => {
    assert.equal((await client.get('//healthz')).status, 200);
    const ready = await client.get('//readyz');
    assert.equal(ready.status, 503);
    assert.equal(ready.body.status, 'unavailable');
    assert.equal(ready.body.checks.database, false);
    assert.match((await client.get('//metrics')).text, /http_request_duration_seconds_count/);
    assert.equal((await client.get('//openapi.json')).status, 200);
  });

  test('nothing is forgotten once it is back: keys hold, new jobs are done', async () => {
    await server.bringBack();
    await until('the API is ready', async () => (await client.get('//readyz')).status === 200);
    assert.equal((await client.get('/crm/contacts')).body.total, 200);
    const mails = await askForMails(server.database, 'after', 3);
    await until('the worker sends them', async () => {
      const states = await mailStates(server.database, mails);
      return states.every(({ status }) => status === 'sent');
    });
  });

  test('no process has died, or written of what nobody caught', async () => {
    for (const program of [api, workers]) {
      assert.deepEqual([program.process.exitCode, ...program.errors], [null]);
    }
    assert.equal(await api.stop(), 0);
    assert.equal(await workers.stop(), 0);
  });
});
