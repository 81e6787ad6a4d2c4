import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { reportFileOf } from '../support/book-reports.ts';
import { newBooks } from '../support/books.ts';
import { bookExampleYear } from '../support/example-year.ts';
import { rowsOf } from '../support/exports.ts';
import { readPdf } from '../support/rendering.ts';
import { reportPages } from '../support/reports.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Entries of books that are printed on several pages. */
const PRINTED = 60;

const app = await startApp();
const books = await newBooks(app);
await bookExampleYear(books);
const company = async (name: string) => (await books.post('/crm/companies', { name })).body.company.id;
const [one, other, third] = [
  await company('=cmd(),"山田"'),
  await company('同名商事'),
  await company('同名商事'),
];
for (const [place, company_id] of [one, other, third].entries()) {
  await books.post_entry(
    '2025-11-11',
    [
      ['1220', 1_000 + place, { company_id, description: '+1; kind:closing' }],
      ['4110', -1_000 - place, { company_id, tax_category: 'S10' }],
    ],
    { description: `=cmd()|x; kind:closing\n2025-01-01 * 偽 ${place}`, reference: '-1' },
  );
}
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, [
  '--queues',
  'pdf-render,report-export',
]);

const fileOf = (path: string, of = books) => reportFileOf(app, of, path);

async function jsonOf(path: string, of = books): Promise<Shown> {
  const reply = await of.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

const headerOf = (file: Buffer) => file.toString().replace('\ufeff', '').split('\r\n')[0];

/** A text as a CSV file has it: what could be a formula begins with an apostrophe. */
const guarded = (text: string | null) => (text === null ? '' : /^[=+@-]/.test(text) ? `'${text}` : text);

const grouped = (amount: number) => `${amount < 0 ? '△' : ''}${Math.abs(amount).toLocaleString('en')}`;

const names = new Map([
  [one, '=cmd(),"山田"'],
  [other, `同名商事 (${other})`],
  [third, `同名商事 (${third})`],
]);

test('the journal book as CSV has a row a line', async () => {
  const { entries, totals } = await jsonOf('journal-book');
  const { bytes, headers } = await fileOf('journal-book?format=csv');
  assert.match(headers.get('content-type')!, /^text\/csv/);
  assert.match(headers.get('content-disposition')!, /journal_book/);
  assert.equal(
    headerOf(bytes),
    'date,number,journal_id,kind,description,line,account_code,account_name,debit,credit,tax_category,company,department,line_description,reference',
  );
  const rows = rowsOf(bytes);
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    entries.flatMap((entry: Shown) =>
      entry.lines.map((line: Shown) => [
        entry.date,
        String(entry.number),
        entry.id,
        entry.kind,
        guarded(entry.description),
        String(line.line),
        line.account_code,
        line.account_name,
        String(line.debit),
        String(line.credit),
        line.tax_category,
        guarded(names.get(line.company_id) ?? null),
        '',
        guarded(line.description),
        guarded(entry.reference),
      ]),
    ),
  );
  const sum = (side: string) => rows.reduce((sum, row) => sum + Number(row[side]), 0);
  assert.deepEqual([sum('debit'), sum('credit')], [totals.debit, totals.credit]);
});

test('the journal book as CSV has the entries that filters leave, whole', async () => {
  const { bytes } = await fileOf(`journal-book?format=csv&company_id=${other}&lang=en`);
  assert.deepEqual(
    rowsOf(bytes).map(({ account_name, debit, credit }) => [account_name, debit, credit]),
    [
      ['Accounts receivable - trade', '1001', '0'],
      ['Net sales', '0', '1001'],
    ],
  );
});

test('a CSV file in Shift_JIS is what iconv reads', async () => {
  const plain = (await fileOf('journal-book?format=csv&encoding=utf-8')).bytes;
  const { bytes } = await fileOf('journal-book?format=csv&encoding=shift_jis');
  assert.deepEqual(execFileSync('iconv', ['-f', 'CP932', '-t', 'UTF-8'], { input: bytes }), plain);
});

test('the ledger as CSV tells what was brought forward, the lines and the total apart', async () => {
  const query = 'general-ledger?account_code=1220&from=2025-03-01&to=2025-12-31';
  const ledger = await jsonOf(query);
  const { bytes } = await fileOf(`${query}&format=csv`);
  assert.equal(
    headerOf(bytes),
    'row_type,date,number,journal_id,kind,description,counter_code,counter_name,company,department,tax_category,debit,credit,balance',
  );
  const none = Array.from({ length: 10 }, () => '');
  assert.deepEqual(
    rowsOf(bytes).map((row) => Object.values(row)),
    [
      ['brought_forward', ...none, '', '', String(ledger.brought_forward)],
      ...ledger.rows.map((row: Shown) => [
        'line',
        row.date,
        String(row.number),
        row.journal_id,
        row.kind,
        guarded(row.description),
        row.counter_account.code ?? '',
        row.counter_account.name,
        guarded(names.get(row.company?.id) ?? null),
        '',
        row.tax_category,
        String(row.debit),
        String(row.credit),
        String(row.balance),
      ]),
      ['total', ...none, String(ledger.debit), String(ledger.credit), String(ledger.closing)],
    ],
  );
});

test('texts of entries stay texts in a journal for hledger', async () => {
  const { bytes, headers } = await fileOf('journal-book?format=hledger');
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(headers.get('content-disposition')!, /\.journal"/);
  const lines = bytes.toString().split('\n');
  const [entry] = (await jsonOf('journal-book')).entries.slice(-5, -4);
  const at = lines.findIndex((line) => line.includes(`id:${entry.id}`));
  assert.deepEqual(lines.slice(at, at + 4), [
    `2025-11-11 * (${entry.number}) =cmd()｜x； kind:closing 2025-01-01 * 偽 0  ; kind:normal, id:${entry.id}`,
    `    assets:trade_receivables:1220  1000 JPY  ; tax:O, company:${one}`,
    `    revenues:sales:4110  -1000 JPY  ; tax:S10, company:${one}`,
    '',
  ]);
});

test('both books as PDF have every figure', async () => {
  const { entries, totals } = await jsonOf('journal-book');
  const book = readPdf((await fileOf('journal-book?format=pdf')).bytes).text();
  const figures = entries.flatMap(({ lines }: Shown) =>
    lines.map(({ debit, credit }: Shown) => debit + credit),
  );
  for (const figure of [...figures, totals.debit]) assert.ok(book.includes(grouped(figure)), `${figure}`);
  assert.ok(book.includes('仕訳帳') && book.includes('2025年1月1日'), book);
  const ledger = await jsonOf('general-ledger?account_code=2385');
  const text = readPdf((await fileOf('general-ledger?account_code=2385&format=pdf')).bytes).text();
  for (const { credit, balance } of ledger.rows) {
    assert.ok(text.includes(grouped(credit)) && text.includes(grouped(balance)), text);
  }
  assert.ok(text.includes('総勘定元帳') && text.includes('仮受消費税'), text);
});

test('a file stays as it is until something is posted or a company renamed', async () => {
  const first = await fileOf('journal-book?format=csv');
  assert.ok(first.bytes.equals((await fileOf('journal-book?format=csv')).bytes));
  const renamed = await books.patch(`/crm/companies/${third}`, { name: '改名商事' });
  assert.equal(renamed.status, 200, renamed.text);
  const { bytes } = await fileOf('journal-book?format=csv');
  const companies = new Set(rowsOf(bytes).map(({ company }) => company));
  assert.deepEqual(companies, new Set(['', `'=cmd(),"山田"`, '同名商事', '改名商事']));
  await books.post_entry('2025-11-12', [
    ['1110', 7_777_777],
    ['1140', -7_777_777],
  ]);
  assert.ok((await fileOf('journal-book?format=hledger')).bytes.includes('7777777'));
});

test('printed books carry their sums from page to page, and end with the figures of the JSON', async () => {
  const many = await newBooks(app);
  const entry = (n: number) =>
    many.post_entry(
      `2025-03-${String((n % 31) + 1).padStart(2, '0')}`,
      [
        ['1140', 1_000 + n],
        ['4110', -1_000 - n, { tax_category: 'S10' }],
      ],
      { description: `売上 ${n}` },
    );
  for (let n = 0; n < PRINTED; n += 1) await entry(n);
  const path = (name: string) => `${name}${name.includes('?') ? '&' : '?'}format=pdf&lang=en`;
  for (const name of ['journal-book', 'general-ledger?account_code=1140']) {
    const { bytes } = await fileOf(path(name), many);
    const pages = reportPages(bytes);
    assert.ok(pages.length > 2, `${pages.length} pages`);
    const sums = (page: string[][], label: string) =>
      page
        .filter(([first]) => first === label)
        .map(([, ...cells]) => cells.slice(0, name === 'journal-book' ? 2 : 1));
    for (const [place, page] of pages.entries()) {
      if (place > 0)
        assert.deepEqual(sums(page, 'Brought forward'), sums(pages[place - 1]!, 'Carried forward'));
      if (place < pages.length - 1) assert.equal(sums(page, 'Carried forward').length, 1);
    }
    const report = await jsonOf(name, many);
    const total = (report.totals ?? report).debit.toLocaleString('en');
    const [last] = pages.at(-1)!.filter(([first]) => first === 'Total');
    assert.ok(last!.includes(total), `${total} in ${last}`);
  }
});
