import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { startApp } from '../support/app.ts';
import { newBooks } from '../support/books.ts';
import { bookExampleYear } from '../support/example-year.ts';
import { rowsOf } from '../support/exports.ts';
import { readPdf } from '../support/rendering.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const books = await newBooks(app);
await bookExampleYear(books);
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, [
  '--queues',
  'pdf-render,report-export',
]);

/** The file of a report, however long its worker takes. */
async function fileOf(path: string): Promise<Buffer> {
  for (;;) {
    const reply = await fetch(`${app.base_url}/api/v1/accounting/reports/${path}`, {
      headers: { Authorization: `Bearer ${books.actor.secret}` },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.ok([200, 202].includes(reply.status), bytes.toString());
    if (reply.status === 200) return bytes;
  }
}

async function jsonOf(path: string): Promise<Shown> {
  const reply = await books.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

const headerOf = (file: Buffer) => file.toString().replace('\ufeff', '').split('\r\n')[0];

const grouped = (amount: number) => `${amount < 0 ? '△' : ''}${Math.abs(amount).toLocaleString('en')}`;

/** Every figure stands in the text of a PDF. */
async function assertPrinted(path: string, figures: readonly number[]): Promise<string> {
  const text = readPdf(await fileOf(path)).text();
  for (const figure of figures) assert.ok(text.includes(grouped(figure)), `${grouped(figure)} in ${text}`);
  return text;
}

const FOUR = ['opening', 'debit', 'credit', 'closing'] as const;

test('the trial balance as CSV has the accounts, the sums of sections and the total', async () => {
  const { rows, sections, totals } = await jsonOf('trial-balance');
  const file = await fileOf('trial-balance?format=csv');
  assert.equal(headerOf(file), 'row_type,account_type,section,code,name,opening,debit,credit,closing');
  const lines = rowsOf(file);
  const figures = (type: string, key: string) =>
    Object.fromEntries(
      lines
        .filter(({ row_type }) => row_type === type)
        .map((line) => [line[key], FOUR.map((name) => Number(line[name]))]),
    );
  const wanted = (all: Shown[], key: string) =>
    Object.fromEntries(all.map((each) => [each[key], FOUR.map((name) => each[name])]));
  assert.deepEqual(figures('account', 'code'), wanted(rows, 'code'));
  const moved = sections.filter(({ section }: Shown) => rows.some((row: Shown) => row.section === section));
  assert.deepEqual(figures('section', 'section'), wanted(moved, 'section'));
  assert.deepEqual(
    FOUR.map((name) => Number(lines.at(-1)![name])),
    FOUR.map((name) => totals[name]),
  );
});

test('the trial balance by month has the closing figure of each month', async () => {
  const file = await fileOf('trial-balance?format=csv&interval=month&from=2025-02-01&to=2025-04-30');
  assert.equal(headerOf(file), 'row_type,account_type,section,code,name,opening,2025-02,2025-03,2025-04');
  const cash = rowsOf(file).find(({ code }) => code === '1140')!;
  assert.deepEqual(
    [cash['opening'], cash['2025-02'], cash['2025-03'], cash['2025-04']],
    ['3000000', '3000000', '4319340', '4319340'],
  );
});

test('statements as CSV have the lines of the JSON', async () => {
  for (const path of ['balance-sheet', 'income-statement', 'cash-flow-statement']) {
    const { lines, ...more } = await jsonOf(path);
    const file = await fileOf(`${path}?format=csv`);
    const cash = ['change', 'opening_cash', 'closing_cash'].filter((name) => name in more);
    assert.equal(headerOf(file), 'key,line_type,level,code,name,amount');
    const rows = rowsOf(file);
    assert.deepEqual(
      rows.slice(lines.length).map(({ key, amount }) => [key, Number(amount)]),
      cash.map((name) => [name, more[name]]),
    );
    assert.deepEqual(
      rows.slice(0, lines.length).map(({ key, line_type, level, code, name, amount }) => {
        return [key, line_type, Number(level), code || null, name, Number(amount)];
      }),
      lines.map((line: Shown) => [line.key, line.line_type, line.level, line.code, line.name, line.amount]),
    );
  }
  const monthly = await fileOf('income-statement?format=csv&interval=month');
  assert.match(headerOf(monthly)!, /^key,line_type,level,code,name,amount,2025-01,.*,2025-12$/);
  const compared = await fileOf('balance-sheet?format=csv&compare=previous_year&encoding=shift_jis');
  assert.match(iconv.decode(compared, 'cp932'), /^key,line_type,level,code,name,amount,previous\r\n/);
});

test('the consumption tax as CSV has an account a line', async () => {
  const { rows } = await jsonOf('consumption-tax');
  const lines = rowsOf(await fileOf('consumption-tax?format=csv'));
  assert.deepEqual(
    lines.map((line) => [line['tax_category'], line['account_code'], Number(line['balance'])]),
    rows.flatMap(({ tax_category, accounts }: Shown) =>
      accounts.map(({ code, balance }: Shown) => [tax_category, code, balance]),
    ),
  );
});

test('each report as PDF has every figure, and says what it is about', async () => {
  const trial = await jsonOf('trial-balance');
  const text = await assertPrinted(
    'trial-balance?format=pdf',
    [...trial.rows, trial.totals].flatMap((row: Shown) => FOUR.map((name) => row[name])),
  );
  assert.ok(text.includes('合計残高試算表') && text.includes('2025年1月1日'), text);
  for (const path of ['balance-sheet', 'income-statement?interval=month', 'cash-flow-statement']) {
    const { lines } = await jsonOf(path);
    const query = path.includes('?') ? '&' : '?';
    await assertPrinted(
      `${path}${query}format=pdf`,
      lines.flatMap(({ amount, amounts }: Shown) => [amount, ...amounts]),
    );
  }
  const { rows } = await jsonOf('consumption-tax');
  await assertPrinted(
    'consumption-tax?format=pdf',
    rows.flatMap(({ accounts }: Shown) => accounts.map(({ balance }: Shown) => balance)),
  );
  const english = readPdf(await fileOf('trial-balance?format=pdf&lang=en')).text();
  assert.ok(english.includes('Trial balance') && english.includes('-200,000'), english);
});

test('a file stays as it is until something is posted or renamed', async () => {
  const first = await fileOf('trial-balance?format=csv');
  assert.ok(first.equals(await fileOf('trial-balance?format=csv')));
  const { rows } = await jsonOf('trial-balance');
  const { account_id } = rows.find(({ code }: Shown) => code === '1140');
  const renamed = await books.patch(`/accounting/accounts/${account_id}`, { name: '普通預金（本店）' });
  assert.equal(renamed.status, 200, renamed.text);
  assert.ok((await fileOf('trial-balance?format=csv')).includes('普通預金（本店）'));
  await books.post_entry('2025-11-11', [
    ['1110', 7_777_777],
    ['1140', -7_777_777],
  ]);
  assert.ok((await fileOf('trial-balance?format=csv')).includes('7777777'));
});
