import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startApp } from '../support/app.ts';
import { newBooks } from '../support/books.ts';
import { bookExampleYear } from '../support/example-year.ts';
import { ended } from '../support/exports.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const books = await newBooks(app);
await bookExampleYear(books);
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'report-export',
]);

async function verified() {
  const reply = await books.post('/accounting/reports/verify');
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(books, reply.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  return job.result as { ok: boolean; differences_count: number; differences: Record<string, unknown>[] };
}

/** Changes the tables as nobody but who holds the database could: past the triggers that keep posted entries. */
async function tamper(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: app.database_url });
  await client.connect();
  await client.query(`SET session_replication_role = replica`);
  const { rowCount } = await client.query(text);
  await client.end();
  assert.equal(rowCount, 1, text);
}

test('books that nobody touched have no differences', async () => {
  assert.deepEqual(await verified(), { ok: true, differences_count: 0, differences: [] });
});

/** What is changed by one yen or one row, and what must tell. */
const harms: Readonly<Record<string, { harm: string; mend: string; told: readonly string[] }>> = {
  'a sum by day': {
    harm: `UPDATE accounting_days SET debit = debit + 1 WHERE date = '2025-02-10' AND debit = 1320000`,
    mend: `UPDATE accounting_days SET debit = debit - 1 WHERE date = '2025-02-10' AND debit = 1320001`,
    told: ['accounting_days'],
  },
  'a sum by month': {
    harm: `UPDATE accounting_months SET credit = credit + 1 WHERE month = '2025-02-01' AND credit = 1200000`,
    mend: `UPDATE accounting_months SET credit = credit - 1 WHERE month = '2025-02-01' AND credit = 1200001`,
    told: ['accounting_months'],
  },
  'the category of a sum': {
    harm: `UPDATE accounting_months_by_dimension SET tax_category = 'S8' WHERE tax_category = 'S8R' AND credit = 200000`,
    mend: `UPDATE accounting_months_by_dimension SET tax_category = 'S8R' WHERE tax_category = 'S8' AND credit = 200000`,
    told: ['accounting_months_by_dimension', 'accounting_months_by_dimension'],
  },
  'an amount of a line': {
    harm: `UPDATE accounting_lines SET debit = debit + 1 WHERE debit = 1320000`,
    mend: `UPDATE accounting_lines SET debit = debit - 1 WHERE debit = 1320001`,
    told: ['accounting_days', 'accounting_months', 'accounting_months_by_dimension', 'accounting_journals'],
  },
  'the day of an entry': {
    harm: `UPDATE accounting_journals SET date = '2025-02-11' WHERE date = '2025-02-10'`,
    mend: `UPDATE accounting_journals SET date = '2025-02-10' WHERE date = '2025-02-11'`,
    told: ['accounting_journals'],
  },
  'a counter of numbers': {
    harm: `UPDATE accounting_fiscal_years SET last_number = last_number + 1`,
    mend: `UPDATE accounting_fiscal_years SET last_number = last_number - 1`,
    told: ['accounting_fiscal_years'],
  },
};

for (const [what, { harm, mend, told }] of Object.entries(harms)) {
  test(`${what} that was changed in the database is told`, async () => {
    await tamper(harm);
    const { ok, differences_count, differences } = await verified();
    await tamper(mend);
    assert.equal(ok, false);
    assert.equal(differences_count, told.length);
    assert.deepEqual(
      differences.map(({ check }) => check),
      told,
    );
    assert.equal((await verified()).ok, true);
  });
}
