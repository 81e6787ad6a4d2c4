import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { ended, rowsOf } from '../support/exports.ts';
import { somebodyWaits } from '../support/held.ts';
import { download } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

/** Reports whose worker comes late, or is killed. A request does not wait for the file: a first answer names the job. */
const app = await startApp({ time_limits: { generating: 50 } });
const seller = await newSeller(app);
const { dataDir } = app.context.settings;
const due = { issue_date: '2026-01-10', due_date: '2026-01-31' };
await seller.after('invoice', ['approve'], due);

const startReporters = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

const request = () => download(app, seller, '/invoices/ageing?format=csv');

/** The job that a request started or joined. */
async function requested(): Promise<string> {
  const { status, bytes } = await request();
  assert.equal(status, 202, bytes.toString());
  return JSON.parse(bytes.toString()).job.id;
}

/** The balance of each company, as a file says it. */
function balances(file: Buffer): Record<string, number> {
  return Object.fromEntries(rowsOf(file).map((row) => [row['company_id']!, Number(row['balance'])]));
}

/** The same as the API answers it now. */
async function presentBalances(): Promise<Record<string, number>> {
  const { rows } = (await seller.get('/invoices/ageing')).body.ageing;
  return Object.fromEntries(
    rows.map((row: { company_id: string; balance: number }) => [row.company_id, row.balance]),
  );
}

/** The file of the report once a worker has made it. */
function fileOnceMade() {
  return until(
    'the report is made',
    async () => {
      const reply = await request();
      return reply.status === 200 && reply;
    },
    120_000,
  );
}

test('rows that change between the request and the worker are in the file, and the next request finds them', async () => {
  const job_id = await requested();
  assert.equal(await requested(), job_id, 'a second request for the same rows joins the job');
  const other = await seller.make('/crm/companies', { name: '株式会社別' });
  await seller.after('invoice', ['approve'], { ...due, company_id: other.id });
  const changed = await presentBalances();
  assert.deepEqual(Object.keys(changed).toSorted(), [seller.company.id, other.id].toSorted());
  const workers = await startReporters();
  assert.equal((await ended(seller, job_id)).status, 'succeeded');
  const made = await download(app, seller, `/jobs/${job_id}/file`);
  assert.equal(made.status, 200, made.bytes.toString());
  assert.deepEqual(balances(made.bytes), changed);
  const next = await fileOnceMade();
  assert.deepEqual(balances(next.bytes), changed);
  const again = await request();
  assert.deepEqual([again.status, again.headers.get('etag')], [200, next.headers.get('etag')]);
  await workers.stop();
});

test('the request of a worker that is killed is answered by the next try, with one file', async () => {
  await seller.after('invoice', ['approve'], due);
  const expected = await presentBalances();
  const before = storedFiles();
  const job_id = await requested();
  const release = await holdCompanies();
  const killed = await startReporters();
  await somebodyWaits(app.database);
  assert.equal((await seller.get(`/jobs/${job_id}`)).body.job.status, 'running');
  await killed.kill();
  await release();
  await startReporters();
  const { bytes } = await fileOnceMade();
  assert.deepEqual(balances(bytes), expected);
  assert.equal((await ended(seller, job_id)).status, 'succeeded');
  assert.ok((await download(app, seller, `/jobs/${job_id}/file`)).bytes.equals(bytes));
  await until('the file of the killed try is gone', () => storedFiles().length === before.length + 1);
});

/** Keeps reports from reading a row until what it answers is called. */
async function holdCompanies(): Promise<() => Promise<void>> {
  const blocker = new pg.Client({ connectionString: app.database_url });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE crm_companies IN ACCESS EXCLUSIVE MODE');
  return () => blocker.end();
}

function storedFiles(): string[] {
  const folder = join(dataDir, 'files');
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}
