import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  allowsClass,
  cashFlowAdjustments,
  cashFlowClasses,
  isProfitAndLoss,
} from '../../../../shared/accounting/accounts/kinds.ts';
import { cashFlowStatement } from '../../../../shared/accounting/reports/cash-flow.ts';
import type {
  FiguresByAccount,
  ReportAccount,
  Spans,
} from '../../../../shared/accounting/reports/figures.ts';
import { chart, closingEntry, noFigures, normal } from './ledger.ts';
import { accounts, books, monthsOfYear, spansOf, year } from './random-books.ts';
import { year2025 } from './year-2025.ts';

const ofYear = { accounts: chart, spans: spansOf(year2025), lang: 'ja' } as const;

const of = (range: FiguresByAccount, more: Partial<Spans> = {}) =>
  cashFlowStatement({
    accounts: chart,
    spans: { earlier: noFigures, before: noFigures, range, ...more },
    lang: 'ja',
  });

/** The lines that are not 0, by key. */
const amounts = ({ lines }: ReturnType<typeof of>) =>
  Object.fromEntries(
    lines.filter(({ amount }) => amount !== 0n).map(({ key, amount }) => [key, Number(amount)]),
  );

describe('the statement of cash flows of the example', () => {
  it('has these lines in print order', () => {
    assert.deepEqual(
      cashFlowStatement(ofYear).lines.map(
        ({ level, key, name, amount }) => `${level} ${key} ${name} ${amount}`,
      ),
      [
        '1 income_before_taxes 税引前当期純利益 1166400',
        '1 depreciation 減価償却費 90000',
        '1 allowance 貸倒引当金の増減額 0',
        '1 interest_income 受取利息及び受取配当金 0',
        '1 interest_expense 支払利息 12000',
        '1 fixed_asset_result 固定資産売却損益・除却損・減損 80000',
        '1 securities_result 有価証券売却損益 0',
        '1 receivables 売上債権の増減額 -216000',
        '1 inventories 棚卸資産の増減額 0',
        '1 payables 仕入債務の増減額 55000',
        '1 consumption_tax 未払(未収)消費税等の増減額 101940',
        '1 other_assets その他の資産の増減額 0',
        '1 other_liabilities その他の負債の増減額 0',
        '0 subtotal 小計 1289340',
        '1 interest_received 利息及び配当金の受取額 0',
        '1 interest_paid 利息の支払額 -12000',
        '1 income_taxes_paid 法人税等の支払額 0',
        '0 operating_total 営業活動CF 1277340',
        '1 time_deposits 定期預金の増減額 0',
        '1 securities 有価証券の取得・売却 0',
        '1 fixed_assets 固定資産の取得・売却 -300000',
        '1 loans 貸付金の増減額 0',
        '1 other_investing その他 0',
        '0 investing_total 投資活動CF -300000',
        '1 borrowings 借入金の増減額 -100000',
        '1 bonds_leases 社債・リース債務の増減額 0',
        '1 equity 株式の発行・自己株式 0',
        '1 dividends 配当金の支払額 0',
        '0 financing_total 財務活動CF -100000',
      ],
    );
  });

  it('explains the change: 877,340 = 3,877,340 - 3,000,000', () => {
    const { change, opening_cash, closing_cash, balanced } = cashFlowStatement(ofYear);
    assert.deepEqual([change, closing_cash, opening_cash], [877_340n, 3_877_340n, 3_000_000n]);
    assert.equal(balanced, true);
  });

  it('is the same after the year is closed', () => {
    const spans = spansOf([...year2025, closingEntry(year2025, year)]);
    assert.deepEqual(cashFlowStatement({ ...ofYear, spans }), cashFlowStatement(ofYear));
  });

  it('begins with the cash of the day before, in the middle of the year too', () => {
    const spans = spansOf(year2025, { from: '2025-05-01', to: '2025-05-31' });
    const { change, opening_cash, closing_cash } = cashFlowStatement({ ...ofYear, spans });
    assert.deepEqual([opening_cash, change, closing_cash], [4_319_340n, -112_000n, 4_207_340n]);
  });

  it('names lines by their keys in English', () => {
    const { lines } = cashFlowStatement({ ...ofYear, lang: 'en' });
    assert.deepEqual(
      [lines[0]!.name, lines[10]!.name, lines.at(-1)!.name],
      ['income before taxes', 'consumption tax', 'financing total'],
    );
  });
});

describe('a statement of cash flows', () => {
  const cash = (amount: number): { 1140: [number, number] } => ({
    1140: amount > 0 ? [amount, 0] : [0, -amount],
  });

  /** What happened; the lines that are not 0 besides the totals of the three activities. */
  const table: [string, Parameters<typeof normal>[0], Record<string, number>][] = [
    ['a time deposit', { ...cash(-500), 1150: [500, 0] }, { time_deposits: -500 }],
    [
      'interest received',
      { ...cash(30), 7110: [0, 30] },
      { income_before_taxes: 30, interest_income: -30, interest_received: 30 },
    ],
    [
      'equipment sold with a gain: 600 less 400 written off, for 350',
      { ...cash(350), 1650: [0, 600], 1690: [400, 0], 8110: [0, 150] },
      { income_before_taxes: 150, fixed_asset_result: -150, fixed_assets: 350 },
    ],
    [
      'equipment sold with a loss',
      { ...cash(120), 1650: [0, 200], 8210: [80, 0] },
      { income_before_taxes: -80, fixed_asset_result: 80, fixed_assets: 120 },
    ],
    [
      'securities sold with a loss',
      { ...cash(70), 1810: [0, 100], 8240: [30, 0] },
      { income_before_taxes: -30, securities_result: 30, securities: 70 },
    ],
    ['an allowance', { 6420: [40, 0], 1290: [0, 40] }, { income_before_taxes: -40, allowance: 40 }],
    ['taxes paid', { ...cash(-90), 9110: [60, 0], 2330: [30, 0] }, { income_taxes_paid: -90 }],
    ['goods bought on credit', { 1410: [80, 0], 2120: [0, 80] }, { inventories: -80, payables: 80 }],
    ['a loan given', { ...cash(-10), 1570: [10, 0] }, { loans: -10 }],
    ['a deposit for rooms', { ...cash(-20), 1860: [20, 0] }, { other_investing: -20 }],
    ['bonds and leases', { ...cash(50), 2510: [0, 70], 2540: [20, 0] }, { bonds_leases: 50 }],
    ['shares issued, own ones bought', { ...cash(60), 3110: [0, 100], 3410: [40, 0] }, { equity: 60 }],
    [
      'a dividend with its legal reserve',
      { ...cash(-100), 3330: [110, 0], 3310: [0, 10] },
      { dividends: -100 },
    ],
    [
      'equipment bought and not paid',
      { 1650: [300, 0], 2310: [0, 300] },
      { fixed_assets: -300, other_liabilities: 300 },
    ],
    ['money from bank to till', { 1110: [5, 0], 1140: [0, 5] }, {}],
  ];
  const totals = ['subtotal', 'operating_total', 'investing_total', 'financing_total'];
  for (const [what, figures, expected] of table) {
    it(`shows ${what}`, () => {
      const report = of(normal(figures));
      const lines = Object.entries(amounts(report)).filter(([key]) => !totals.includes(key));
      assert.deepEqual(Object.fromEntries(lines), expected);
      assert.equal(report.balanced, true);
    });
  }

  it('begins with a loss by its name', () => {
    assert.equal(of(normal({ ...cash(-1), 6490: [1, 0] })).lines[0]!.name, '税引前当期純損失');
  });

  it('takes the opening entry for cash that was there', () => {
    const opening = { debit: 400n, credit: 0n };
    const report = of(new Map([['1140', { opening, normal: { debit: 5n, credit: 0n } }]]), {
      earlier: normal({ 1140: [7, 0], 1150: [1_000, 0] }),
      before: normal({ 1110: [2, 0] }),
    });
    assert.deepEqual([report.opening_cash, report.change, report.closing_cash], [409n, 5n, 414n]);
  });

  it('says when the books do not balance', () => {
    assert.equal(of(normal(cash(1))).balanced, false);
  });
});

/** The accounts with any class and adjustment that their types allow. */
const classified: fc.Arbitrary<ReportAccount[]> = fc
  .array(fc.nat(), { minLength: accounts.length, maxLength: accounts.length })
  .map((picks) =>
    accounts.map((account, at) => {
      const classes = cashFlowClasses.filter((each) => allowsClass(account.account_type, each));
      const adjustments = isProfitAndLoss(account.account_type) ? [null, ...cashFlowAdjustments] : [null];
      return {
        ...account,
        cf_class: classes[picks[at]! % classes.length]!,
        cf_adjustment: adjustments[picks[at]! % adjustments.length]!,
      };
    }),
  );

describe('for any books that balance, however accounts are classified', () => {
  it('the three totals add up to the change of cash', () => {
    fc.assert(
      fc.property(books, classified, fc.constantFrom(...monthsOfYear), (book, all, { from }) => {
        const spans = spansOf(book, { from, to: year.to });
        const { lines, change, opening_cash, closing_cash, balanced } = cashFlowStatement({
          accounts: all,
          spans,
          lang: 'ja',
        });
        const total = (key: string) => lines.find((line) => line.key === key)!.amount;
        assert.equal(
          total('operating_total') + total('investing_total') + total('financing_total'),
          closing_cash - opening_cash,
        );
        assert.equal(change, closing_cash - opening_cash);
        assert.equal(balanced, true);
      }),
    );
  });

  it('the months make up the year, each beginning with the cash of the one before', () => {
    fc.assert(
      fc.property(books, classified, (book, all) => {
        const statement = (range: { from: string; to: string }) =>
          cashFlowStatement({ accounts: all, spans: spansOf(book, range), lang: 'ja' });
        const months = monthsOfYear.map(statement);
        const whole = statement(year);
        for (const [at, { key, amount }] of whole.lines.entries()) {
          const sum = months.reduce((before, month) => before + month.lines[at]!.amount, 0n);
          assert.equal(sum, amount, key);
        }
        for (const [at, month] of months.slice(1).entries()) {
          assert.equal(month.opening_cash, months[at]!.closing_cash);
        }
        assert.equal(months.at(-1)!.closing_cash, whole.closing_cash);
      }),
      { numRuns: 30 },
    );
  });
});
