import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { startApp } from '../support/app.ts';
import { backTo } from '../support/back-to.ts';
import { newBuyer } from '../support/received.ts';

const app = await startApp();
const client = new pg.Client({ connectionString: app.database_url });
await client.connect();

test('invoices that the release before makes through its views are found by their day, open, and compared', async (context) => {
  context.after(() => client.end());
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
