import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newSales, type Sales } from '../support/deals.ts';
import { contentsOf } from '../support/import-organization.ts';
import { until } from '../support/until.ts';
import { formWith } from '../support/uploads.ts';
import { startWorkers } from '../support/workers.ts';

const ROWS = Number(process.env['KILLED_ROWS'] ?? 2_000);
const KILLS = Number(process.env['KILLS'] ?? 2);

const app = await startApp();
const start = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
    '--queues',
    'csv-import',
  ]);

/** Contacts of companies that are made along the way; some come again, some are faulty. */
function file(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const whose = n % 20 === 3 ? Math.floor(n / 2) : n;
    const email = n % 50 === 7 ? 'no address' : `person${whose}@example.co.jp`;
    return `c${whose},山田${n % 7},花子,${email},株式会社${whose % 90},${n % 9 === 0 ? '重要;VIP' : ''}`;
  });
  return ['外部ID,姓,名,メールアドレス,会社名,タグ', ...rows].join('\r\n');
}

async function begun(client: Sales): Promise<string> {
  const reply = await client.post('/crm/contacts/import', formWith(file(), { create_missing: 'true' }));
  assert.equal(reply.status, 202, reply.text);
  return reply.body.import.id;
}

/** From the table: an import makes way for requests, and would for these. */
async function importOf(client: Sales, id: string) {
  const [row] = await app.database.withConnection(client.organization_id, ({ query }) =>
    query<Record<string, number>>('SELECT * FROM imports WHERE organization_id = $1 AND id = $2', [
      client.organization_id,
      id,
    ]),
  );
  return row!;
}

async function ended(client: Sales, id: string): Promise<Record<string, number>> {
  const done = await until(
    'the import is over',
    async () => {
      const shown = await importOf(client, id);
      return shown['finished_at'] !== null && shown;
    },
    300_000,
  );
  const counts = Object.entries(done).filter(([name]) => name.endsWith('_count') || name === 'status');
  return Object.fromEntries(counts);
}

test(`an import of contacts whose workers are killed ${KILLS} times leaves, says and records what an undisturbed one does`, async () => {
  const [calm, disturbed] = [await newSales(app), await newSales(app)];
  let workers = await start();
  const undisturbed = await ended(calm, await begun(calm));
  const id = await begun(disturbed);
  for (let count = 0; count < KILLS; count += 1) {
    const target = (ROWS * (count + Math.random())) / (KILLS + 1);
    await until(
      'the import goes on',
      async () => {
        const { processed_rows, finished_at } = await importOf(disturbed, id);
        return processed_rows! >= target || finished_at !== null;
      },
      300_000,
    );
    await workers.kill();
    workers = await start();
  }
  assert.deepEqual(await ended(disturbed, id), undisturbed);
  const [is, should] = [await contentsOf(app.database, disturbed), await contentsOf(app.database, calm)];
  for (const table of Object.keys(should)) {
    assert.equal(is[table]!.length, should[table]!.length, table);
    for (const [place, row] of should[table]!.entries()) assert.deepEqual(is[table]![place], row, table);
  }
});
