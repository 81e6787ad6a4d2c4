import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../shared/db/database.ts';
import { migrate } from '../../shared/db/migrate.ts';
import { sealAllEvidence } from '../../shared/platform/evidence/seal.ts';
import { backTo } from '../support/back-to.ts';
import { freshDatabase } from '../support/database.ts';

const quiet = { log: () => {} };
const { url, drop } = await freshDatabase();
const database = openDatabase({ url, pool_size: 2 });
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await database.end();
  await drop();
});

test('changes of evidence of before are sealed with those that come; others are not noted', async () => {
  await backTo(url, '0051_evidence_chain');
  await record('aud_1', 'accounting', 'document');
  await record('aud_2', 'accounting', 'journal');
  await record('aud_3', 'crm', 'document');
  await record('aud_4', 'received', 'received_delivery_note');
  await migrate(url, quiet);
  await record('aud_5', 'accounting', 'account');
  await record('aud_6', 'accounting', 'document');
  await record('aud_7', 'received', 'received_invoice');
  await record('aud_8', 'received', 'settings');
  assert.deepEqual(await waiting(), ['aud_1', 'aud_4', 'aud_6', 'aud_7']);

  assert.equal(await sealAllEvidence(database), 4);
  assert.deepEqual(await waiting(), []);
  const { rows } = await client.query<{ sequence: string; audit_log_id: string }>(
    'SELECT sequence::text, audit_log_id FROM evidence_chain ORDER BY sequence',
  );
  assert.deepEqual(rows, [
    { sequence: '1', audit_log_id: 'aud_1' },
    { sequence: '2', audit_log_id: 'aud_4' },
    { sequence: '3', audit_log_id: 'aud_6' },
    { sequence: '4', audit_log_id: 'aud_7' },
  ]);
});

async function record(id: string, domain: string, entity_type: string): Promise<void> {
  await client.query(
    `INSERT INTO audit_logs
       (organization_id, id, domain, entity_type, entity_id, action, actor_type, actor_id, changes, created_at)
     VALUES ('org_a', $1, $2, $3, 'adoc_1', 'update', 'user', 'usr_1', '{}', now())`,
    [id, domain, entity_type],
  );
}

async function waiting(): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT audit_log_id AS id FROM evidence_unsealed ORDER BY 1',
  );
  return rows.map(({ id }) => id);
}
