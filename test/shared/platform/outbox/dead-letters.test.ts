import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '../../../../shared/kernel/id.ts';
import { retryDeliveries } from '../../../../shared/platform/outbox/dead-letters.ts';
import { freshDatabase } from '../../../support/database.ts';

const statements: string[] = [];
const { database, drop } = await freshDatabase({ on_statement: (text) => statements.push(text) });
after(drop);

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

test('a thousand are retried with hardly more statements than one, each job and its log exactly', async () => {
  const now = new Date();
  const given_up = Array.from({ length: 1000 }, (_, index) => ({
    organization_id: `org_many${index % 3}`,
    id: newId('dlv', now),
    job_id: index % 4 === 0 ? null : newId('job', now),
    // What was cancelled meanwhile stays so.
    status: index % 10 === 1 ? 'cancelled' : 'failed',
  }));
  await query(
    `WITH asked AS (
       SELECT * FROM json_to_recordset($1) AS asked (organization_id text, id text, job_id text, status text)
     ), made AS (
       INSERT INTO jobs (organization_id, id, kind, scope, status, error, created_at, updated_at, finished_at)
       SELECT organization_id, job_id, 'test.thing.do', 'crm:write', status, '{"code":"no","message":"no"}',
         now(), now(), now() FROM asked WHERE job_id IS NOT NULL
     )
     INSERT INTO outbox (organization_id, id, job_id, queue, name, payload, created_at, failed_at, error)
     SELECT organization_id, id, job_id, 'pdf-render', 'test.many', '{}', now(), now(), 'no' FROM asked`,
    [JSON.stringify(given_up)],
  );
  statements.length = 0;
  const ids = given_up.map(({ id }) => id);
  const changed = await database.withConnection('*', (connection) => retryDeliveries(connection, ids, now));
  assert.equal(changed, 1000);
  assert.ok(statements.length < 30, `${statements.length} statements`);
  const jobs = given_up.filter(({ job_id }) => job_id !== null);
  const cancelled = jobs.filter(({ status }) => status === 'cancelled').length;
  const found = await query(
    `SELECT status, error IS NULL AS mended, finished_at IS NULL AS open, count(*)::integer AS count
     FROM jobs GROUP BY 1, 2, 3 ORDER BY 1`,
  );
  assert.deepEqual(found, [
    { status: 'cancelled', mended: false, open: false, count: cancelled },
    { status: 'queued', mended: true, open: true, count: jobs.length - cancelled },
  ]);
  const log = await query(
    `SELECT entity_type, count(DISTINCT (organization_id, entity_id))::integer AS count
     FROM audit_logs GROUP BY 1 ORDER BY 1`,
  );
  assert.deepEqual(log, [
    { entity_type: 'delivery', count: 1000 },
    { entity_type: 'job', count: jobs.length - cancelled },
  ]);
});
