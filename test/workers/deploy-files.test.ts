import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { ended } from '../support/exports.ts';
import { importsOf } from '../support/imports.ts';
import { outboxCount } from '../support/mail-states.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const ROWS = 20_000;

const app = await startApp();
const { database } = app;
const seller = await newSeller(app);
const test_database = { database, url: app.database_url, drop: async () => {} };
const imports = importsOf({ database: test_database, storage: app.context.storage, actor: seller.actor });

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  database.withConnection('*', (connection) => connection.query<Row>(text, values));

test('while releases replace each other exports, imports and PDFs end once and right', async () => {
  const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
  const start = () => startWorkers(environment, ['--queues', 'csv-import,report-export,pdf-render']);
  const rows = Array.from({ length: ROWS }, (_, number) => `${number}@deploy.example`);
  const { id, job_id } = await imports.create(['email', ...rows, ''].join('\n'));
  const invoices: string[] = [];
  for (let number = 0; number < 4; number++) {
    invoices.push((await seller.after('invoice', ['approve'])).id);
  }
  const jobs: string[] = [job_id!];
  for (let number = 0; number < 4; number++) {
    jobs.push((await seller.post('/crm/companies/export', {})).body.job.id);
  }

  const processed = (count: number) =>
    until(`${count} rows`, async () => (await imports.read(id)).processed_rows >= count);
  const first = await start();
  await processed(1);
  const second = await start();
  const stopped = first.stop();
  await processed(ROWS / 4);
  await second.kill();
  const third = await start();
  await processed(ROWS / 2);
  const fourth = await start();
  const stopped_too = third.stop();

  for (const job of jobs) assert.equal((await ended(seller, job)).status, 'succeeded');
  await until('the outbox is empty', async () => (await outboxCount(database)) === 0);
  assert.equal(await stopped, 0);
  assert.equal(await stopped_too, 0);

  const { status, created_count, processed_rows } = await imports.read(id);
  assert.deepEqual(
    { status, created_count, processed_rows },
    { status: 'completed', created_count: ROWS, processed_rows: ROWS },
  );
  const [contacts] = await query("SELECT count(*) FROM mail_contacts WHERE email LIKE '%@deploy.example'");
  assert.equal(Number((contacts as { count: number }).count), ROWS);
  const files = await query('SELECT FROM job_files WHERE job_id = ANY ($1)', [jobs]);
  assert.equal(files.length, 4);
  const prints = await query<{ status: string }>(
    'SELECT status FROM invoicing_prints WHERE document_id = ANY ($1)',
    [invoices],
  );
  assert.deepEqual(
    prints.map((print) => print.status),
    ['ready', 'ready', 'ready', 'ready'],
  );
  assert.equal(await fourth.stop(), 0);
});
