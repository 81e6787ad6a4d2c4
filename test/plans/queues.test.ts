import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBackend } from '../../workers/kernel/backend.ts';
import { dispatch } from '../../workers/kernel/dispatch.ts';
import { plannedDatabase } from '../support/plans.ts';

const planned = await plannedDatabase();
const { database } = planned.database;
after(() => planned.database.drop());

test('a hand-over reads what it hands over, not all that waits, even by counts from when nothing did', async () => {
  await database.withConnection('*', async ({ query }) => {
    await query('VACUUM ANALYZE outbox', [], { prepared: false });
    await query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at)
       SELECT 'org_' || n % 20, 'dlv_' || n, 'email', 'test.nothing', '{}', now() FROM generate_series(1, 10000) AS n`,
    );
  });
  const { url } = planned.database;
  const backend = openBackend({
    redis_url: undefined,
    database_url: url,
    installation: 'inst_any',
    served: 0,
    troubled: () => {},
  });
  const { indexes, rows } = await planned.plansOf(async () => {
    const now = new Date(Date.now() + 1_000);
    assert.equal(await dispatch(database, backend, { queue: 'email', in_flight: 10, now }), 200);
  });
  assert.ok(indexes.has('outbox_waiting'), [...indexes].join());
  assert.ok(rows <= 2_000, `${rows} rows were looked at`);
  await backend.queue('email').close();
  await backend.end();
});
