import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestActor } from '../support/actors.ts';
import { fill } from '../support/many-records.ts';
import { plannedApp } from '../support/plans.ts';
import { formWith } from '../support/uploads.ts';

/** What a preview reads of imports to tell which of them took the same file. */
const IMPORTS = 20_000;
const FILE = '取引先名,請求日,品名,単価\n株式会社山田商店,2026-04-30,コーヒー豆,1000\n';

const ZEROS = {
  waiting_rows: 0,
  record_count: 0,
  updated_count: 0,
  unchanged_count: 0,
  skipped_count: 0,
  duplicate_count: 0,
  suppressed_count: 0,
  error_count: 0,
};

const { app, ...planned } = await plannedApp();
const client = await app.actor();
await planned.fill(() => seed(client.actor));

async function seed(owner: TestActor): Promise<void> {
  await fill(app.database, owner, 'imports', 'iimp', IMPORTS, (n) => ({
    kind: 'invoicing.invoices',
    status: 'completed',
    file_name: '請求.csv',
    file_bytes: 100,
    file_sha256: n.toString(16).padStart(64, '0'),
    options: {},
    on_conflict: 'update',
    dry_run: false,
    processed_rows: 1,
    created_count: 1,
    ...ZEROS,
    running_milliseconds: 1,
    actor_type: 'user',
    actor_id: owner.user_id,
  }));
}

test('a preview finds imports of the same file by their hash', async () => {
  const { indexes, whole, rows } = await planned.plansOf(async () => {
    const reply = await client.post('/invoices/import/preview', formWith(FILE));
    assert.equal(reply.status, 200, reply.text);
  });
  assert.ok(indexes.has('imports_by_file'), `used ${[...indexes]}`);
  assert.ok(!whole.has('imports'));
  assert.ok(rows < 50, `looked at ${rows} rows`);
});
