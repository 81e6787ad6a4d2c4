import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { startApp } from '../support/app.ts';
import { backTo } from '../support/back-to.ts';
import { newSeller, type Seller } from '../support/documents.ts';

const quiet = { log: () => {} };

const app = await startApp();
const url = app.database_url;
const client = new pg.Client({ connectionString: url });
await client.connect();

/** The evening of the 30th in New York, in Tokyo the 31st already. */
const PAID_AT = '2026-03-30T16:00:00Z';

test('payments of before get the day of the zone of the settings; so do those that the release before makes', async (context) => {
  context.after(() => client.end());
  const japan = await paid({});
  const america = await paid({ time_zone: 'America/New_York' });
  await backTo(url, '0043_days_of_payments');
  assert.deepEqual(await columnsNamed('paid_on'), []);
  assert.match(await indexByIssue(), /paid_at\)$/);

  await migrate(url, quiet);
  assert.deepEqual(await days('invoicing_payments'), { [japan]: '2026-03-31', [america]: '2026-03-30' });
  assert.deepEqual(await days('invoicing_documents'), { [japan]: '2026-03-31', [america]: '2026-03-30' });
  assert.match(await indexByIssue(), /paid_on\)$/);

  await client.query(
    `UPDATE invoicing_documents SET paid_at = '2026-05-01T16:00:00Z' WHERE paid_at IS NOT NULL`,
  );
  assert.deepEqual(await days('invoicing_documents'), { [japan]: '2026-05-02', [america]: '2026-05-01' });
  await client.query('UPDATE invoicing_documents SET paid_at = NULL');
  assert.deepEqual(await days('invoicing_documents'), {});
  await client.query(
    `UPDATE invoicing_documents SET paid_at = '2026-05-01T16:00:00Z', paid_on = '2026-04-30' WHERE kind = 'invoice'`,
  );
  assert.deepEqual(await days('invoicing_documents'), { [japan]: '2026-04-30', [america]: '2026-04-30' });

  await asTheReleaseBefore('invoicing_payments', {
    id: `'pay_' || organization_id`,
    paid_at: `'${PAID_AT}'`,
  });
  const { rows } = await client.query(
    `SELECT organization_id, paid_on::text FROM invoicing_payments WHERE id LIKE 'pay\\_org%' ORDER BY paid_on`,
  );
  assert.deepEqual(
    rows.map(({ paid_on }) => paid_on),
    ['2026-03-30', '2026-03-31'],
  );
});

/** The ID of a new organization that has one invoice, paid at `PAID_AT`. */
async function paid(settings: object): Promise<string> {
  const seller: Seller = await newSeller(app);
  await seller.patch('/invoice-settings', settings);
  const invoice = await seller.after('invoice', ['approve'], { issue_date: '2026-03-01' });
  const reply = await seller.act('invoice', invoice.id, 'mark-paid', { paid_at: PAID_AT });
  assert.equal(reply.status, 200, reply.text);
  return seller.organization_id;
}

async function days(table: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ organization_id: string; day: string }>(
    `SELECT organization_id, paid_on::text AS day FROM ${table} WHERE paid_on IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ organization_id, day }) => [organization_id, day]));
}

async function columnsNamed(name: string): Promise<unknown[]> {
  const { rows } = await client.query(
    'SELECT table_name FROM information_schema.columns WHERE column_name = $1 AND table_schema = current_schema',
    [name],
  );
  return rows;
}

async function indexByIssue(): Promise<string> {
  const { rows } = await client.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE indexname = 'invoicing_documents_by_issue'`,
  );
  return rows[0]!.indexdef;
}

/** Copies rows without the column that the release before does not know. */
async function asTheReleaseBefore(table: string, changed: Record<string, string>): Promise<void> {
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
      WHERE table_name = $1 AND table_schema = current_schema AND is_generated = 'NEVER'
        AND column_name NOT IN ('paid_on', 'external_id', 'metadata')`,
    [table],
  );
  const names = rows.map(({ column_name }) => column_name);
  const values = names.map((name) => changed[name] ?? name);
  await client.query(`INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table}`);
}
