import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BatchResult } from '../../shared/platform/batches/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf, startBatchWorkers } from '../support/batches.ts';
import { depositCountsOf, endOfDeposits } from '../support/deposit-imports.ts';
import { endOfDocuments } from '../support/document-imports.ts';
import { newSeller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { download, startRenderers } from '../support/pdf-documents.ts';
import { encoded } from '../support/reading.ts';
import { until } from '../support/until.ts';
import { formWith } from '../support/uploads.ts';

const COUNT = 300;

const app = await startApp();
const folder = mkdtempSync(join(tmpdir(), 'month-end-'));
after(() => rmSync(folder, { recursive: true }));

/** The companies of the month, as a file of the CRM. */
const companies = () =>
  ['取引先コード,会社名,メールアドレス', ...places((n) => `K${n},月末商事${n},keiri${n}@example.jp`)].join(
    '\r\n',
  );

/** An invoice for each of them, of two lines. */
const month = () =>
  [
    '請求書番号,取引先コード,請求日,件名,品名,数量,単価,税率',
    ...places(
      (n) => `S-${n},K${n},2026-04-30,4月分,コーヒー豆,${n % 9},1200,軽減8%\r\nS-${n},,,,配送,1,500,10%`,
    ),
  ].join('\r\n');

function places<Row>(row: (n: number) => Row): Row[] {
  return Array.from({ length: COUNT }, (_, n) => row(n + 1));
}

/** The statement of the month: each customer pays what it owes, the first one under a name that nobody knows. */
const statement = (owed: readonly number[]) =>
  [
    'お客さま口座,普通 1234567',
    '日付,摘要,摘要内容,支払い金額,預かり金額,差引残高',
    ...owed.map(
      (amount, n) => `2026/5/29,振込１,${n === 0 ? 'ナゾノカタ' : `月末商事${n + 1}`},,"${amount}",`,
    ),
    '2026/5/29,手数料,ﾌﾘｺﾐﾃｽｳﾘﾖｳ,440,,',
  ].join('\r\n');

test('300 invoices come in, are approved, mailed, downloaded, paid by 300 transfers and aged by nine calls, also when a worker is killed', async () => {
  const seller = await newSeller(app);
  let calls = 0;
  /** Counts a call of the office; what only waits for its jobs is none. */
  const call = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    calls += 1;
    return answer;
  };
  let worker = await startBatchWorkers(app);
  const known = await seller.post('/crm/companies/import', formWith(companies()));
  assert.equal(known.status, 202, known.text);
  assert.equal((await ended(seller, known.body.job.id)).status, 'succeeded');

  // 1
  const sent = await call(seller.post('/invoices/import', formWith(month())));
  assert.equal(sent.status, 202, sent.text);
  const imported = await endOfDocuments(seller, 'invoice', sent.body.import.id);
  assert.deepEqual(
    [imported.status, imported.document_count, imported.total_rows, imported.error_count],
    ['completed', COUNT, 2 * COUNT, 0],
  );

  // 2
  const filter = { issue_date_from: '2026-04-01', issue_date_to: '2026-04-30' };
  const { body } = await call(
    seller.post('/invoices/batch', {
      action: 'approve',
      filter: { ...filter, status: 'draft' },
    }),
  );
  const progress = async () => (await seller.get(`/jobs/${body.job.id}`)).body.job.progress.done as number;
  await until('some invoices are approved', async () => (await progress()) >= 60);
  await worker.kill();
  assert.ok((await progress()) < COUNT, 'the batch was done before its worker was killed');
  worker = await startBatchWorkers(app);
  const approved = await ended(seller, body.job.id);
  const rows = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ id: string; number: string }>(
      'SELECT id, number FROM invoicing_documents WHERE organization_id = $1 ORDER BY id',
      [seller.organization_id],
    ),
  );
  assert.deepEqual(
    entriesOf(approved),
    rows.map(({ id }) => ({ id, status: 200, code: null })),
  );
  assert.deepEqual(
    rows.map(({ number }) => number),
    places((n) => `S-${n}`),
  );
  const told = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ type: string; count: number }>(
      `SELECT type, count(*)::integer AS count FROM events
        WHERE organization_id = $1 AND type LIKE 'invoice.%' GROUP BY type ORDER BY type`,
      [seller.organization_id],
    ),
  );
  assert.deepEqual(told, [
    { type: 'invoice.approved', count: COUNT },
    { type: 'invoice.created', count: COUNT },
  ]);

  await startRenderers(app);
  await startExportWorkers(app);
  // 3
  const mailing = await call(seller.post('/invoices/batch', { action: 'send-email', filter }));
  // 4
  const asked = await call(seller.post('/invoices/files', { filter, form: 'zip' }));
  const zipped = await until(
    'the PDFs are together',
    async () => {
      const { job } = (await seller.get(`/jobs/${asked.body.job.id}`)).body;
      return job.finished_at !== null && job;
    },
    600_000,
  );
  assert.equal(zipped.status, 'succeeded', JSON.stringify(zipped.error));
  // 5
  const { bytes } = await call(download(app, seller, `/jobs/${zipped.id}/file`));
  const file = join(folder, 'invoices.zip');
  writeFileSync(file, bytes);
  const unzip = (...words: string[]) => execFileSync('unzip', words, { encoding: 'utf8', maxBuffer: 1e8 });
  assert.match(unzip('-t', file), /No errors detected/);
  assert.equal(unzip('-Z1', file).trim().split('\n').length, COUNT);

  const mailed = await ended(seller, mailing.body.job.id);
  assert.equal((mailed.result as BatchResult).succeeded, COUNT);
  const mails = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query('SELECT FROM invoicing_emails WHERE organization_id = $1', [seller.organization_id]),
  );
  assert.equal(mails.length, COUNT);

  // 6
  const owed = places((n) => (n % 9) * 1_296 + 550);
  const stated = await call(seller.post('/deposits/import', formWith(encoded(statement(owed), 'shift_jis'))));
  assert.equal(stated.status, 202, stated.text);
  const deposits = await endOfDeposits(seller, stated.body.import.id);
  assert.deepEqual(depositCountsOf(deposits), ['completed', COUNT, 1, 0, 0]);
  assert.equal(deposits.encoding, 'shift_jis');

  // 7
  const shown = await call(seller.get(`/deposits/matches?limit=${COUNT}&sort=created_at:asc`));
  assert.equal(shown.status, 200, shown.text);
  const outcomes = Map.groupBy(shown.body.items, ({ outcome }: { outcome: string }) => outcome);
  assert.deepEqual(
    [...outcomes].map(([outcome, { length }]) => [outcome, length]),
    [
      // The first line of the statement.
      ['no_match', 1],
      ['match', COUNT - 1],
    ],
  );

  // 8
  const matching = await call(
    seller.post('/deposits/batch', {
      action: 'match',
      filter: { has_unallocated: true, received_from: '2026-05-01', received_to: '2026-05-31' },
    }),
  );
  assert.equal(matching.status, 202, matching.text);
  const matched = await ended(seller, matching.body.job.id);
  const left = entriesOf(matched).filter(({ code }) => code !== null);
  assert.deepEqual(
    left.map(({ code }) => code),
    ['no_match'],
  );
  assert.equal((matched.result as BatchResult).succeeded, COUNT - 1);

  // 9
  const { ageing } = (await call(seller.get('/invoices/ageing'))).body;
  assert.deepEqual([ageing.rows.length, ageing.totals.balance], [1, owed[0]!]);
  assert.equal(calls, 9);
  await worker.kill();
});
