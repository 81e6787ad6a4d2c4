import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { until } from '../support/until.ts';

const app = await startApp();

describe('for machines that watch the service', () => {
  test('/healthz answers while the process lives', async () => {
    const reply = await app.anonymous.get('//healthz');
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { status: 'ok' });
  });

  test('/readyz looks at database, migrations and queues', async () => {
    const reply = await app.anonymous.get('//readyz');
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body.checks, {
      database: true,
      migrations: true,
      queue: true,
      store: true,
      clock: true,
    });
    assert.match(reply.body.version, /^\d+\.\d+\.\d+$/);
  });

  test('/readyz tells of jobs that nobody takes, and stays ready for requests', async () => {
    const { actor } = await app.actor();
    await app.database.withConnection(actor.organization_id, ({ query }) =>
      query(
        `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at)
         VALUES ($1, 'dlv_waiting', 'email', 'mail.send', '{}', now() - interval '2 minutes')`,
        [actor.organization_id],
      ),
    );
    const told = await until('/readyz tells of it', async () => {
      const reply = await app.anonymous.get('//readyz');
      assert.equal(reply.status, 200);
      return reply.body.checks.queue === false;
    });
    assert.ok(told);
  });

  test('/metrics has the duration of requests by endpoint, the pool and the outbox', async () => {
    await (await app.actor()).get('/crm/contacts');
    const { text } = await app.anonymous.get('//metrics');
    assert.match(text, /http_request_duration_seconds_bucket\{.*endpoint="crm\.contacts\.list"/);
    assert.match(text, /database_pool_connections\{state="idle"\}/);
    assert.match(text, /outbox_lag_seconds/);
  });
});
