import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { balanceSheet } from '../../../../shared/accounting/reports/balance-sheet.ts';
import type { StatementLine } from '../../../../shared/accounting/reports/statement-lines.ts';
import { chart, closingEntry, entry, figuresOf, noFigures, normal, subAccount } from './ledger.ts';
import { monthsOfYear, year } from './random-books.ts';
import { year2025 } from './year-2025.ts';

const asked = { accounts: chart, earlier: noFigures, year: figuresOf(year2025, year), lang: 'ja' } as const;

const printed = (lines: readonly StatementLine[]) =>
  lines.map(({ level, key, name, amount }) => `${level} ${key} ${name} ${amount}`);

const byKey = (lines: readonly StatementLine[], key: string) => lines.find((line) => line.key === key)!;

describe('the balance sheet of the example', () => {
  it('has these lines in print order', () => {
    assert.deepEqual(printed(balanceSheet(asked).lines), [
      '1 cash 現金及び預金 3877340',
      '2 1140 普通預金 3877340',
      '1 trade_receivables 売上債権 216000',
      '2 1220 売掛金 216000',
      '1 securities 有価証券 0',
      '1 inventory 棚卸資産 0',
      '1 other_current_assets その他流動資産 34060',
      '2 1580 仮払消費税等 34060',
      '0 total_current_assets 流動資産合計 4127400',
      '1 tangible_fixed 有形固定資産 530000',
      '2 1650 工具器具備品 700000',
      '2 1690 減価償却累計額 -170000',
      '1 intangible_fixed 無形固定資産 0',
      '1 investments 投資その他の資産 0',
      '0 total_fixed_assets 固定資産合計 530000',
      '1 deferred_assets 繰延資産 0',
      '0 total_assets 資産合計 4657400',
      '1 trade_payables 仕入債務 55000',
      '2 2120 買掛金 55000',
      '1 current_liabilities その他流動負債 486000',
      '2 2330 未払法人税等 350000',
      '2 2385 仮受消費税等 136000',
      '0 total_current_liabilities 流動負債合計 541000',
      '1 noncurrent_liabilities 固定負債 900000',
      '2 2520 長期借入金 900000',
      '0 total_liabilities 負債合計 1441000',
      '1 capital 資本金 1000000',
      '2 3110 資本金 1000000',
      '1 capital_surplus 資本剰余金 0',
      '1 retained_earnings 利益剰余金 1400000',
      '2 3330 繰越利益剰余金 1400000',
      '1 treasury_shares 自己株式 0',
      '0 current_earnings 当期純利益 816400',
      '0 unclosed_earnings 前期以前未処分利益 0',
      '0 total_equity 純資産合計 3216400',
      '0 total_liabilities_and_equity 負債純資産合計 4657400',
    ]);
  });

  it('balances: 4,657,400 = 1,441,000 + 2,400,000 + 816,400', () => {
    const { totals, balanced } = balanceSheet(asked);
    assert.deepEqual(totals, {
      assets: 4_657_400n,
      liabilities: 1_441_000n,
      equity: 2_400_000n,
      current_earnings: 816_400n,
      unclosed_earnings: 0n,
      liabilities_and_equity: 4_657_400n,
    });
    assert.equal(balanced, true);
  });

  it('has what the year earned in retained earnings where the closing entry counts', () => {
    const closed = figuresOf([...year2025, closingEntry(year2025, year)], year);
    const { totals, lines } = balanceSheet({ ...asked, year: closed });
    assert.deepEqual([totals.current_earnings, totals.equity], [0n, 3_216_400n]);
    assert.equal(byKey(lines, '3330').amount, 2_216_400n);
    assert.equal(byKey(lines, 'total_equity').amount, 3_216_400n);
  });

  it('has month ends as columns, the last of which is the day itself', () => {
    const columns = monthsOfYear.map(({ key, ...of }) => ({
      key,
      name: key,
      range: figuresOf(year2025, of),
    }));
    const { lines, columns: heads } = balanceSheet({ ...asked, columns });
    assert.deepEqual(heads[11], { key: '2025-12', name: '2025-12' });
    const cash = byKey(lines, 'cash');
    assert.deepEqual(
      cash.amounts.slice(0, 5).map(Number),
      [3_000_000, 4_319_340, 4_319_340, 4_319_340, 4_207_340],
    );
    for (const line of lines) assert.equal(line.amounts.at(-1), line.amount, line.key);
  });
});

describe('a balance sheet', () => {
  it('tells what open earlier years earned from what the year earned, whatever its sign', () => {
    const earlier = normal({ 1140: [0, 70], 6310: [70, 0] });
    const { totals, lines } = balanceSheet({ ...asked, earlier });
    assert.deepEqual([totals.unclosed_earnings, totals.current_earnings], [-70n, 816_400n]);
    assert.equal(byKey(lines, 'unclosed_earnings').amount, -70n);
    assert.equal(byKey(lines, 'total_equity').amount, 3_216_330n);
  });

  it('compares with the year before, and says null where there is none', () => {
    const sale = entry('2024-05-05', { 1140: 9 }, { 4110: 9 });
    const previous = { earlier: noFigures, year: figuresOf([sale]) };
    const compared = balanceSheet({ ...asked, earlier: figuresOf([sale]), previous });
    assert.equal(byKey(compared.lines, 'current_earnings').previous, 9n);
    assert.equal(byKey(compared.lines, 'unclosed_earnings').amount, 9n);
    assert.equal(byKey(compared.lines, '1220').previous, 0n);
    assert.ok(balanceSheet({ ...asked, previous: null }).lines.every(({ previous }) => previous === null));
  });

  it('says when a column does not balance', () => {
    const slip = normal({ 1140: [1, 0] });
    assert.equal(balanceSheet({ ...asked, year: slip }).balanced, false);
    assert.equal(balanceSheet({ ...asked, previous: { earlier: slip, year: noFigures } }).balanced, false);
    assert.equal(
      balanceSheet({ ...asked, columns: [{ key: '2025-01', name: '2025-01', range: slip }] }).balanced,
      false,
    );
  });

  it('has English names', () => {
    const { lines } = balanceSheet({ ...asked, lang: 'en' });
    assert.deepEqual(
      ['cash', '1690', 'total_liabilities_and_equity', 'unclosed_earnings'].map(
        (key) => byKey(lines, key).name,
      ),
      ['Cash and deposits', 'Accumulated depreciation', 'total liabilities and equity', 'unclosed earnings'],
    );
  });

  it('has sub-accounts below their parents, a level deeper, with figures of their own', () => {
    const below = subAccount('1130-9', '1140');
    const lower = subAccount('1120-1', '1130-9', [below]);
    const other = { ...subAccount('1140-L', '1140'), section: 'investments' as const };
    const { lines } = balanceSheet({
      ...asked,
      accounts: [lower, other, below, ...chart],
      year: normal({ '1140': [1, 0], '1120-1': [4, 0], '1150': [2, 0], '1140-L': [8, 0], '3110': [0, 15] }),
    });
    assert.deepEqual(printed(lines.filter(({ line_type, amount }) => line_type === 'account' || amount)), [
      '1 cash 現金及び預金 7',
      '2 1140 普通預金 1',
      '3 1130-9 補助1130-9 0',
      '4 1120-1 補助1120-1 4',
      '2 1150 定期預金 2',
      '0 total_current_assets 流動資産合計 7',
      '1 investments 投資その他の資産 8',
      '2 1140-L 補助1140-L 8',
      '0 total_fixed_assets 固定資産合計 8',
      '0 total_assets 資産合計 15',
      '1 capital 資本金 15',
      '2 3110 資本金 15',
      '0 total_equity 純資産合計 15',
      '0 total_liabilities_and_equity 負債純資産合計 15',
    ]);
  });
});
