import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { incomeStatement } from '../../../../shared/accounting/reports/income-statement.ts';
import type { StatementLine } from '../../../../shared/accounting/reports/statement-lines.ts';
import { chart, closingEntry, figuresOf, noFigures, normal, subAccount } from './ledger.ts';
import { monthsOfYear, year } from './random-books.ts';
import { year2025 } from './year-2025.ts';

const asked = { accounts: chart, range: figuresOf(year2025, year), lang: 'ja' } as const;

const printed = (lines: readonly StatementLine[]) =>
  lines.map(({ level, key, name, amount }) => `${level} ${key} ${name} ${amount}`);

const byKey = (lines: readonly StatementLine[], key: string) => lines.find((line) => line.key === key)!;

describe('the income statement of the example', () => {
  it('has these lines in print order', () => {
    assert.deepEqual(printed(incomeStatement(asked).lines), [
      '1 sales 売上高 1400000',
      '2 4110 売上高 1200000',
      '2 4120 売上高（軽減8%） 200000',
      '0 net_sales 売上高 1400000',
      '1 cost_of_sales 売上原価 51000',
      '2 5140 外注加工費 51000',
      '0 gross_profit 売上総利益 1349000',
      '1 sga 販売費及び一般管理費 90600',
      '2 6310 支払手数料 600',
      '2 6410 減価償却費 90000',
      '0 operating_income 営業利益 1258400',
      '1 non_operating_income 営業外収益 0',
      '1 non_operating_expense 営業外費用 12000',
      '2 7210 支払利息 12000',
      '0 ordinary_income 経常利益 1246400',
      '1 extraordinary_income 特別利益 0',
      '1 extraordinary_loss 特別損失 80000',
      '2 8220 固定資産除却損 80000',
      '0 income_before_taxes 税引前当期純利益 1166400',
      '1 income_taxes 法人税等 350000',
      '2 9110 法人税、住民税及び事業税 350000',
      '0 net_income 当期純利益 816400',
    ]);
  });

  it('has the six stages', () => {
    assert.deepEqual(incomeStatement(asked).stages, {
      net_sales: 1_400_000n,
      gross_profit: 1_349_000n,
      operating_income: 1_258_400n,
      ordinary_income: 1_246_400n,
      income_before_taxes: 1_166_400n,
      net_income: 816_400n,
    });
  });

  it('says which line is an account', () => {
    const { lines } = incomeStatement(asked);
    assert.deepEqual(byKey(lines, '5140'), {
      key: '5140',
      line_type: 'account',
      level: 2,
      account_id: '5140',
      code: '5140',
      name: '外注加工費',
      amount: 51_000n,
      previous: null,
      amounts: [],
    });
    assert.deepEqual(
      [byKey(lines, 'sga'), byKey(lines, 'net_income')].map(({ line_type, account_id, code }) => [
        line_type,
        account_id,
        code,
      ]),
      [
        ['section', null, null],
        ['total', null, null],
      ],
    );
  });

  it('is the same after the year is closed', () => {
    const range = figuresOf([...year2025, closingEntry(year2025, year)], year);
    assert.deepEqual(incomeStatement({ ...asked, range }), incomeStatement(asked));
  });

  it('has a column for each month, which make up the year', () => {
    const columns = monthsOfYear.map(({ key, ...of }) => ({
      key,
      name: key,
      range: figuresOf(year2025, of),
    }));
    const report = incomeStatement({ ...asked, columns });
    assert.deepEqual(report.columns[3], { key: '2025-04', name: '2025-04' });
    const sales = [1_200_000n, 0n, 0n, 0n, 0n, 0n, 0n, 200_000n, 0n, 0n, 0n, 0n];
    assert.deepEqual(byKey(report.lines, 'net_sales').amounts, sales);
    assert.deepEqual(byKey(report.lines, '4120').amounts.indexOf(200_000n), 7);
    assert.equal(byKey(report.lines, 'net_income').amounts.at(-1), -440_000n);
  });
});

describe('an income statement', () => {
  const loss = normal({ 4110: [0, 100], 5120: [150, 0], 7110: [0, 10], 8110: [0, 90], 9110: [80, 0] });

  it('names each negative stage a loss', () => {
    const { lines } = incomeStatement({ ...asked, range: loss });
    assert.deepEqual(printed(lines.filter(({ line_type }) => line_type === 'total')), [
      '0 net_sales 売上高 100',
      '0 gross_profit 売上総損失 -50',
      '0 operating_income 営業損失 -50',
      '0 ordinary_income 経常損失 -40',
      '0 income_before_taxes 税引前当期純利益 50',
      '0 net_income 当期純損失 -30',
    ]);
  });

  it('names stages by their keys in English, also a loss', () => {
    const { lines } = incomeStatement({ ...asked, range: loss, lang: 'en' });
    assert.deepEqual(
      ['sales', '5120', 'gross_profit', 'income_before_taxes'].map((key) => byKey(lines, key).name),
      ['Net sales', 'Purchases', 'gross profit', 'income before taxes'],
    );
  });

  it('keeps the name of an account that has no English one', () => {
    const accounts = [...chart, subAccount('4110-A', '4110')];
    const { lines } = incomeStatement({ accounts, range: normal({ '4110-A': [0, 1] }), lang: 'en' });
    assert.equal(byKey(lines, '4110-A').name, '補助4110-A');
  });

  it('shows revenue on its debit side, and expense on its credit side, as negative', () => {
    const { lines } = incomeStatement({ ...asked, range: normal({ 4190: [30, 0], 5130: [0, 20] }) });
    assert.deepEqual(
      ['4190', 'net_sales', '5130', 'cost_of_sales', 'gross_profit'].map((key) => byKey(lines, key).amount),
      [-30n, -30n, -20n, -20n, -10n],
    );
  });

  it('has every section and total where nothing happened, and no account', () => {
    const { lines } = incomeStatement({ ...asked, range: noFigures });
    assert.equal(lines.length, 14);
    assert.ok(lines.every(({ line_type, amount }) => line_type !== 'account' && amount === 0n));
    assert.equal(byKey(lines, 'net_income').name, '当期純利益');
  });

  it('keeps an account that has figures in the year before alone, and says null where there is none', () => {
    const { lines } = incomeStatement({ ...asked, range: normal({ 4110: [0, 7] }), previous: loss });
    const compared = ['4110', '5120', 'net_income'].map((key) => byKey(lines, key));
    assert.deepEqual(
      compared.map(({ amount, previous }) => [amount, previous]),
      [
        [7n, 100n],
        [0n, 150n],
        [7n, -30n],
      ],
    );
    assert.equal(byKey(incomeStatement({ ...asked, previous: null }).lines, 'net_income').previous, null);
  });

  it('keeps an account whose months cancel out', () => {
    const columns = [
      { key: '2025-01', name: '2025-01', range: normal({ 4110: [0, 7] }) },
      { key: '2025-02', name: '2025-02', range: normal({ 4110: [7, 0] }) },
    ];
    const { lines } = incomeStatement({ ...asked, range: normal({ 4110: [7, 7] }), columns });
    assert.deepEqual([byKey(lines, '4110').amount, byKey(lines, '4110').amounts], [0n, [7n, -7n]]);
    assert.equal(incomeStatement({ ...asked, range: normal({ 4110: [7, 7] }) }).lines.length, 14);
  });

  it('is exact beyond 2^53', () => {
    const most = 999_999_999_999_999n;
    const month = new Map([['4110', { normal: { debit: 0n, credit: most } }]]);
    const columns = monthsOfYear.map(({ key }) => ({ key, name: key, range: month }));
    const range = new Map([['4110', { normal: { debit: 0n, credit: most * 12n } }]]);
    assert.equal(incomeStatement({ ...asked, range, columns }).stages.net_income, 11_999_999_999_999_988n);
  });
});
