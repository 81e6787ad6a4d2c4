import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { seedCompanies } from '../support/many-records.ts';
import { download } from '../support/pdf-documents.ts';
import { readPdf } from '../support/rendering.ts';
import { reportPages } from '../support/reports.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const seller = await newSeller(app);
const evil = await seller.make('/crm/companies', { name: '=cmd(),"髙﨑" <b>' });
const due = { issue_date: '2026-01-10', due_date: '2026-01-31' };
await seller.after('invoice', ['approve'], due);
await seller.after('invoice', ['approve'], { ...due, company_id: evil.id });
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, [
  '--queues',
  'pdf-render,report-export',
]);

/** The file of the ageing report, however long its worker takes. */
async function ageingFile(query: string) {
  for (;;) {
    const reply = await download(app, seller, `/invoices/ageing?${query}`);
    assert.ok([200, 202].includes(reply.status), reply.bytes.toString());
    if (reply.status === 200) return reply;
  }
}

test('a report as CSV has a line for each row, and no formula', async () => {
  const { rows } = (await seller.get('/invoices/ageing')).body.ageing;
  const { bytes, headers } = await ageingFile('format=csv');
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.match(headers.get('content-disposition')!, /^attachment; filename="aged_receivables_20/);
  const [header, ...lines] = bytes.toString().replace('\ufeff', '').trimEnd().split('\r\n');
  assert.equal(header, 'company_id,name,not_due,1_30,31_60,61_90,91_plus,balance');
  const figures = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(',')), line.split(',').slice(-6).map(Number)]),
  );
  for (const { company_id, name: _, ...wanted } of rows) {
    assert.deepEqual(
      figures[company_id],
      ['not_due', '1_30', '31_60', '61_90', '91_plus', 'balance'].map((name) => wanted[name]),
    );
  }
  assert.equal(lines.length, rows.length);
  assert.ok(bytes.includes(`${evil.id},"'=cmd(),""髙﨑"" <b>",`), bytes.toString());
});

test('a report as CSV can be Shift_JIS', async () => {
  const { bytes, headers } = await ageingFile('format=csv&encoding=shift_jis');
  assert.match(headers.get('content-type')!, /charset=Shift_JIS/);
  assert.ok(iconv.decode(bytes, 'cp932').includes('株式会社山田商店'));
});

test('a file stays the same, byte for byte, until a row changes', async () => {
  const first = await ageingFile('format=pdf');
  const again = await ageingFile('format=pdf');
  assert.ok(first.bytes.equals(again.bytes));
  assert.equal(first.headers.get('etag'), again.headers.get('etag'));
  await seller.after('invoice', ['approve'], due);
  const changed = await ageingFile('format=pdf');
  assert.notEqual(changed.headers.get('etag'), first.headers.get('etag'));
});

test('a report as PDF names what it is about in either language, and sums up', async () => {
  const { rows, totals, as_of } = (await seller.get('/invoices/ageing')).body.ageing;
  const [year, month, day] = as_of.split('-').map(Number);
  const ja = readPdf((await ageingFile('format=pdf')).bytes).text();
  for (const { name } of rows) assert.ok(ja.includes(name), ja);
  assert.ok(ja.includes('売掛金年齢表') && ja.includes(`${year}年${month}月${day}日`), ja);
  const [page] = reportPages((await ageingFile('format=pdf&lang=en')).bytes);
  const [total] = page!.filter(([first]) => first === 'Total');
  const wanted = Object.values(totals as Record<string, number>).map((sum) => sum.toLocaleString('en'));
  assert.deepEqual(total!.slice(1), wanted);
});

test('a report over many pages carries what the database sums up', async () => {
  const companies = await seedCompanies(app.database, seller.actor, 1_000);
  await seedDocuments(app.database, seller.actor, 'invoice', { companies, count: 4_000 });
  const { rows, totals } = (await seller.get('/invoices/ageing')).body.ageing;
  const pages = reportPages((await ageingFile('format=pdf&lang=en')).bytes);
  assert.ok(pages.length > 10);
  const balances = (page: string[][], label: string) =>
    page.filter(([first]) => first === label).map((cells) => cells.at(-1));
  for (const [place, page] of pages.entries()) {
    if (place > 0) {
      assert.deepEqual(balances(page, 'Brought forward'), balances(pages[place - 1]!, 'Carried forward'));
    }
  }
  assert.deepEqual(balances(pages.at(-1)!, 'Total'), [totals.balance.toLocaleString('en')]);
  assert.equal(rows.length, rows.filter(({ balance }: { balance: number }) => balance > 0).length);
});
