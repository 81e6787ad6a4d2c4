import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { fillInvoices } from '../../shared/received/documents/fill.ts';
import { startApp } from '../support/app.ts';
import { backTo } from '../support/back-to.ts';
import { newBuyer } from '../support/received.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const client = new pg.Client({ connectionString: app.database_url });
await client.connect();

test('invoices that the release before makes through its views are found by their day, open, and compared', async () => {
  const buyer = await newBuyer(app);
  const like = await buyer.register('invoice', { transaction_date: '2026-04-25' });
  await backTo(app.database_url, '0101_received_of_before');
  const first = await asTheReleaseBefore(like.id, 'rinv_first');
  await migrate(app.database_url, { log: () => {} });
  const second = await asTheReleaseBefore(like.id, 'rinv_second');
  for (const id of [first, second]) {
    const { rows } = await client.query(
      `SELECT retention_date::text, match_mode, balance = amount_due AND balance <> 0 AS is_open, company_key = company_id AS is_compared,
          (SELECT array_agg(DISTINCT purpose) FROM received_lines WHERE document_id = received_documents.id) AS purposes
        FROM received_documents WHERE id = $1`,
      [id],
    );
    assert.deepEqual(rows, [
      {
        retention_date: '2026-04-25',
        match_mode: 'three_way',
        is_open: true,
        is_compared: true,
        purposes: ['taxable'],
      },
    ]);
  }
});

test('a sweep fills them with their input tax, claims and search, once, also when workers are killed', async (context) => {
  const buyer = await newBuyer(app);
  const like = await buyer.register('invoice', { subject: 'ろ過器' });
  const ids = Array.from({ length: 5 }, (_, n) => `rinv_${String(n).padStart(26, '0')}`);
  for (const id of ids) await asTheReleaseBefore(like.id, id);
  const searched = async () =>
    (await buyer.get(`/received-invoices?search=${encodeURI('ろ過器')}&limit=50`)).body.items;
  const found = async () => (await searched()).length;
  assert.equal(await found(), 1);
  const { dataDir: DATA_DIR } = app.context.settings;
  const start = () =>
    startWorkers({ DATABASE_URL: app.database_url, DATA_DIR, BASE_URL: app.base_url }, ['--queues', 'email']);
  const held = new pg.Client({ connectionString: app.database_url });
  await held.connect();
  context.after(() => Promise.all([client.end(), held.end()]));
  await held.query('BEGIN');
  await held.query('SELECT FROM received_documents WHERE id = $1 FOR UPDATE', [ids[2]]);
  const first = await start();
  await until('the second is filled', async () => (await found()) === 3);
  await first.kill();
  await held.query('ROLLBACK');
  // As if the time had passed for which a run is taken to go on.
  await held.query(`DELETE FROM sweeps WHERE name = 'unfilled_invoices'`);
  const second = await start();
  await until('all are filled', async () => (await found()) === 6);
  assert.equal(await second.stop(), 0);

  assert.equal(await fillInvoices(app.database, new Date(), AbortSignal.timeout(60_000)), 0);
  const filled = (await searched()).filter(({ id }: { id: string }) => ids.includes(id));
  assert.equal(filled.length, ids.length);
  for (const invoice of filled) {
    const { id } = invoice;
    assert.deepEqual(invoice.input_tax, like.input_tax);
    assert.deepEqual(invoice.warnings, like.warnings);
    const { items } = (await buyer.get(`/receive/audit-logs?entity_id=${id}`)).body;
    assert.deepEqual(
      items.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type]),
      [['update', 'system']],
    );
  }
});

/** Writes a copy of an invoice with the columns that the release before knows, and answers its ID. */
async function asTheReleaseBefore(like: string, id: string): Promise<string> {
  await copy('received_invoices', 'id', like, { id, number: null });
  await copy('received_invoice_lines', 'received_invoice_id', like, {
    received_invoice_id: id,
    id: `li_${id}`,
  });
  return id;
}

async function copy(view: string, key: string, like: string, other: Record<string, string | null>) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema()`,
    [view],
  );
  const names = rows.map(({ name }) => name);
  const given = Object.keys(other);
  const values = names.map((name) => (given.includes(name) ? `$${given.indexOf(name) + 2}` : name));
  await client.query(`INSERT INTO ${view} (${names}) SELECT ${values} FROM ${view} WHERE ${key} = $1`, [
    like,
    ...Object.values(other),
  ]);
}
