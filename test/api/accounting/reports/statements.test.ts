import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { type Books, newBooks } from '../../../support/books.ts';
import { bookExampleYear } from '../../../support/example-year.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

async function reportOf(books: Books, path: string): Promise<Shown> {
  const reply = await books.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

describe('the reports on a year', () => {
  let books: Books;
  before(async () => {
    books = await newBooks(app);
    await bookExampleYear(books);
  });

  test('have the trial balance', async () => {
    const { rows, totals, balanced, ...head } = await reportOf(books, 'trial-balance');
    assert.deepEqual([totals.debit, totals.credit, balanced], [4_012_800, 4_012_800, true]);
    const row = (code: string) => rows.find((row: Shown) => row.code === code);
    assert.deepEqual([row('6230').debit, row('6230').credit, row('6230').closing], [9_900, 9_900, 0]);
    assert.deepEqual([row('1140').opening, row('1140').closing], [3_000_000, 3_877_340]);
    assert.equal(head.fiscal_year_id, books.year.id);
    assert.deepEqual([head.from, head.to], ['2025-01-01', '2025-12-31']);
    assert.deepEqual(head.filters, { adjusting: 'include', closing_entries: 'exclude' });
  });

  test('have any days, whole months and broken ones', async () => {
    const query = (from: string, to: string) => `trial-balance?from=${from}&to=${to}`;
    const broken = await reportOf(books, query('2025-02-11', '2025-05-20'));
    const cash = broken.rows.find((row: Shown) => row.code === '1140');
    assert.deepEqual([cash.opening, cash.debit, cash.closing], [3_000_000, 1_319_340, 4_319_340]);
    assert.deepEqual([broken.totals.opening, broken.totals.closing], [0, 0]);
    const day = await reportOf(books, query('2025-05-20', '2025-05-20'));
    assert.deepEqual([day.totals.debit, day.totals.credit], [200_000, 200_000]);
    const months = await reportOf(books, `${query('2025-02-11', '2025-05-20')}&interval=month`);
    assert.deepEqual(months.rows.find((row: Shown) => row.code === '1140').months, [
      { key: '2025-02', debit: 0, credit: 0, closing: 3_000_000 },
      { key: '2025-03', debit: 1_319_340, credit: 0, closing: 4_319_340 },
      { key: '2025-04', debit: 0, credit: 0, closing: 4_319_340 },
      { key: '2025-05', debit: 0, credit: 0, closing: 4_319_340 },
    ]);
  });

  test('have the balance sheet', async () => {
    const { totals, balanced } = await reportOf(books, 'balance-sheet');
    assert.deepEqual(totals, {
      assets: 4_657_400,
      liabilities: 1_441_000,
      equity: 2_400_000,
      current_earnings: 816_400,
      unclosed_earnings: 0,
      liabilities_and_equity: 4_657_400,
    });
    assert.equal(balanced, true);
    const monthly = await reportOf(books, 'balance-sheet?interval=month&as_of=2025-03-15');
    assert.deepEqual(
      monthly.columns.map(({ key }: Shown) => key),
      ['2025-01', '2025-02', '2025-03'],
    );
  });

  test('have the income statement, also by month', async () => {
    const { stages } = await reportOf(books, 'income-statement');
    assert.deepEqual(Object.values(stages), [1_400_000, 1_349_000, 1_258_400, 1_246_400, 1_166_400, 816_400]);
    const monthly = await reportOf(books, 'income-statement?interval=month');
    const net = monthly.lines.find(({ key }: Shown) => key === 'net_income');
    assert.equal(net.amounts.length, 12);
    assert.equal(
      net.amounts.reduce((sum: number, amount: number) => sum + amount, 0),
      816_400,
    );
    assert.equal(net.name, '当期純利益');
    const { lines } = await reportOf(books, 'income-statement?lang=en');
    assert.equal(lines.find(({ key }: Shown) => key === 'net_income').name, 'net income');
    const compared = await reportOf(books, 'income-statement?compare=previous_year');
    assert.equal(compared.lines[0].previous, null);
  });

  test('have the statement of cash flows', async () => {
    const { lines, change, opening_cash, closing_cash, balanced } = await reportOf(
      books,
      'cash-flow-statement',
    );
    assert.deepEqual([opening_cash, change, closing_cash, balanced], [3_000_000, 877_340, 3_877_340, true]);
    const amount = (key: string) => lines.find((line: Shown) => line.key === key).amount;
    assert.deepEqual(
      ['consumption_tax', 'subtotal', 'operating_total', 'investing_total', 'financing_total'].map(amount),
      [101_940, 1_289_340, 1_277_340, -300_000, -100_000],
    );
  });

  test('have the consumption tax by category, with broken months from their lines', async () => {
    const { rows } = await reportOf(books, 'consumption-tax');
    const figures = rows.map(({ tax_category, net, tax }: Shown) => [tax_category, net, tax]);
    assert.deepEqual(figures, [
      ['S10', -1_200_000, -120_000],
      ['S8R', -200_000, -16_000],
      ['P10', 100_600, 30_060],
      ['PE', 12_000, 0],
      ['P10T80', 51_000, 4_000],
    ]);
    const broken = await reportOf(books, 'consumption-tax?from=2025-02-10&to=2025-03-30');
    assert.deepEqual(
      broken.rows.map(({ tax_category, net }: Shown) => [tax_category, net]),
      [['S10', -1_200_000]],
    );
    const none = await reportOf(books, 'consumption-tax?from=2025-02-11&to=2025-03-30&tax_category=S10');
    assert.deepEqual(none.rows, []);
  });

  test('refuse days that are in no year, in several, or half said', async () => {
    const code = async (query: string) => {
      const reply = await books.get(`/accounting/reports/${query}`);
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path];
    };
    assert.deepEqual(await code('trial-balance?from=2030-01-01&to=2030-12-31'), [
      422,
      'no_fiscal_year',
      'from',
    ]);
    assert.deepEqual(await code('trial-balance?from=2024-06-01&to=2025-05-31'), [
      422,
      'across_fiscal_years',
      'to',
    ]);
    assert.deepEqual(await code('trial-balance?from=2025-06-01'), [422, 'validation_failed', 'to']);
    assert.deepEqual(await code('trial-balance?from=2025-06-01&to=2025-05-31'), [
      422,
      'validation_failed',
      'to',
    ]);
    assert.deepEqual(await code(`trial-balance?from=2025-06-01&fiscal_year_id=${books.year.id}`), [
      422,
      'validation_failed',
      'fiscal_year_id',
    ]);
    assert.deepEqual(await code('trial-balance?department_id=dep_01kaj2n5w5fq8b4m0g3v7x9rtc'), [
      422,
      'unknown_reference',
      'department_id',
    ]);
    assert.deepEqual(await code('trial-balance?company_id=comp_01kaj2n5w5fq8b4m0g3v7x9rtc'), [
      422,
      'unknown_reference',
      'company_id',
    ]);
    const bare = await app.actor();
    const reply = await bare.get('/accounting/reports/balance-sheet');
    assert.deepEqual([reply.status, reply.body.code], [422, 'no_fiscal_year']);
  });
});

describe('companies in the trial balance', () => {
  test('have their own figures, those merged into one together', async () => {
    const books = await newBooks(app);
    const company = async (name: string) => (await books.post('/crm/companies', { name })).body.company.id;
    const [first, second, third] = [
      await company('青山商店'),
      await company('青山商店（旧）'),
      await company('白川製作所'),
    ];
    for (const [company_id, amount] of [
      [first, 100],
      [second, 20],
      [third, 3],
      [null, 4_000],
    ] as const) {
      await books.post_entry('2025-04-10', [
        ['1220', amount, { company_id }],
        ['4110', -amount, { company_id }],
      ]);
    }
    const merged = await books.post(`/crm/companies/${first}/merge`, { loser_id: second });
    assert.ok(merged.status < 300, merged.text);
    const of = async (query: string) => {
      const { rows } = await reportOf(books, `trial-balance?${query}`);
      return rows.find(({ code }: Shown) => code === '1220');
    };
    for (const days of ['', 'from=2025-04-02&to=2025-04-20&']) {
      const { breakdown, closing } = await of(`${days}group_by=company`);
      assert.equal(closing, 4_123);
      assert.deepEqual(
        breakdown.map(({ id, closing }: Shown) => [id, closing]),
        [
          [null, 4_000],
          [third, 3],
          [first, 120],
        ],
      );
      assert.equal((await of(`${days}company_id=${second}`)).closing, 120);
      assert.equal((await of(`${days}company_id=${first}`)).closing, 120);
      assert.equal((await of(`${days}company_id=none`)).closing, 4_000);
    }
  });
});
