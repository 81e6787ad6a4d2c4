import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Four } from '../../../../shared/accounting/reports/measure.ts';
import {
  type TrialBalance,
  type TrialBalanceInput,
  trialBalance,
} from '../../../../shared/accounting/reports/trial-balance.ts';
import { chart, closingEntry, entry, figuresOf, noFigures, normal, subAccount } from './ledger.ts';
import { monthsOfYear, spansOf, year } from './random-books.ts';
import { year2025 } from './year-2025.ts';

const asked = { accounts: chart, adjusting: 'include', include_zero: false, lang: 'ja' } as const;

const ofYear = (more: Partial<TrialBalanceInput> = {}) =>
  trialBalance({ ...asked, spans: spansOf(year2025), ...more });

const four = ({ opening, debit, credit, closing }: Four) => [opening, debit, credit, closing].map(Number);

const row = (report: TrialBalance, code: string | null) => {
  const found = report.rows.find((each) => each.code === code);
  assert.ok(found, `no row ${code}`);
  return found;
};

const codes = (report: TrialBalance) => report.rows.map(({ code }) => code);

describe('the trial balance of the example', () => {
  const table: [string, number[]][] = [
    ['1110', [0, 9_900, 9_900, 0]],
    ['1140', [3_000_000, 1_319_340, 442_000, 3_877_340]],
    ['1220', [0, 1_536_000, 1_320_000, 216_000]],
    ['1580', [0, 34_060, 0, 34_060]],
    ['1650', [600_000, 300_000, 200_000, 700_000]],
    ['1690', [-200_000, 120_000, 90_000, -170_000]],
    ['2120', [0, 0, 55_000, -55_000]],
    ['2330', [0, 0, 350_000, -350_000]],
    ['2385', [0, 0, 136_000, -136_000]],
    ['2520', [-1_000_000, 100_000, 0, -900_000]],
    ['3110', [-1_000_000, 0, 0, -1_000_000]],
    ['3330', [-1_400_000, 0, 0, -1_400_000]],
    ['4110', [0, 0, 1_200_000, -1_200_000]],
    ['4120', [0, 0, 200_000, -200_000]],
    ['5140', [0, 51_000, 0, 51_000]],
    ['6230', [0, 9_900, 9_900, 0]],
    ['6310', [0, 600, 0, 600]],
    ['6410', [0, 90_000, 0, 90_000]],
    ['7210', [0, 12_000, 0, 12_000]],
    ['8220', [0, 80_000, 0, 80_000]],
    ['9110', [0, 350_000, 0, 350_000]],
  ];

  it('has these rows in order of code', () => {
    const { rows } = ofYear();
    assert.deepEqual(
      rows.map((each) => [each.code, four(each)]),
      table,
    );
  });

  it('has debits and credits of 4,012,800', () => {
    const { totals, balanced } = ofYear();
    assert.deepEqual(four(totals), [0, 4_012_800, 4_012_800, 0]);
    assert.equal(balanced, true);
  });

  it('has every section, in the order of the chart, and they add up', () => {
    const { sections, totals } = ofYear();
    assert.equal(sections.length, 24);
    assert.deepEqual(
      sections.slice(0, 2).map((each) => [each.section, each.name, each.account_type, four(each)]),
      [
        ['cash', '現金及び預金', 'asset', [3_000_000, 1_329_240, 451_900, 3_877_340]],
        ['trade_receivables', '売上債権', 'asset', [0, 1_536_000, 1_320_000, 216_000]],
      ],
    );
    assert.equal(
      sections.reduce((sum, { debit }) => sum + debit, 0n),
      totals.debit,
    );
  });

  it('counts entries that adjust as asked, in what it began with too', () => {
    const without = ofYear({ adjusting: 'exclude' });
    assert.deepEqual(four(without.totals), [0, 3_572_800, 3_572_800, 0]);
    assert.deepEqual(four(row(without, '1690')), [-200_000, 120_000, 0, -80_000]);
    const alone = ofYear({ adjusting: 'only' });
    assert.deepEqual(codes(alone), ['1690', '2330', '6410', '9110']);
    assert.deepEqual(four(alone.totals), [0, 440_000, 440_000, 0]);

    const earlier = [...year2025, entry('2024-12-31', { 1540: 500 }, { 7110: 500 }, 'adjusting')];
    const spans = spansOf(earlier);
    assert.deepEqual(four(row(ofYear({ spans }), '1540')), [500, 0, 0, 500]);
    assert.equal(codes(ofYear({ spans, adjusting: 'exclude' })).includes('1540'), false);
    assert.deepEqual(four(row(ofYear({ spans, adjusting: 'only' }), '1540')), [500, 0, 0, 500]);
  });

  it('shows accounts without figures when asked', () => {
    const report = ofYear({ include_zero: true });
    assert.equal(report.rows.length, chart.length + 1);
    assert.deepEqual(four(row(report, null)), [0, 0, 0, 0]);
  });

  it('has English names', () => {
    const spans = { earlier: normal({ 1140: [5, 0], 4110: [0, 5] }), before: noFigures, range: noFigures };
    const report = ofYear({ spans, lang: 'en' });
    assert.deepEqual(
      report.rows.map(({ name }) => name),
      ['Ordinary deposit', 'unclosed earnings'],
    );
    assert.equal(report.sections[0]!.name, 'Cash and deposits');
  });
});

describe('a trial balance of a part of the year', () => {
  it('begins with what assets had before it, and revenue and expense from the first day of the year', () => {
    const report = ofYear({ spans: spansOf(year2025, { from: '2025-08-01', to: '2025-12-31' }) });
    assert.deepEqual(four(row(report, '1140')), [4_207_340, 0, 330_000, 3_877_340]);
    assert.deepEqual(four(row(report, '4110')), [-1_200_000, 0, 0, -1_200_000]);
    assert.equal(report.balanced, true);
  });

  it('has what earlier years earned in a row of its own, while nobody has closed them', () => {
    const sale = entry('2024-06-01', { 1140: 500 }, { 4110: 500 });
    const open = ofYear({ spans: spansOf([...year2025, sale]) });
    assert.deepEqual(open.rows.at(-1), {
      account_id: null,
      code: null,
      name: '前期以前未処分利益',
      account_type: null,
      section: null,
      parent_id: null,
      opening: -500n,
      debit: 0n,
      credit: 0n,
      closing: -500n,
    });
    assert.deepEqual(four(row(open, '4110')), [0, 0, 1_200_000, -1_200_000]);
    assert.equal(open.balanced, true);

    const close = closingEntry([sale], { from: '2024-01-01', to: '2024-12-31' });
    const closed = ofYear({ spans: spansOf([...year2025, sale, close]) });
    assert.equal(codes(closed).includes(null), false);
    assert.deepEqual(four(row(closed, '3330')), [-1_400_500, 0, 0, -1_400_500]);
  });

  it('has the closing entry of the year where its group is given', () => {
    const close = closingEntry(year2025, year);
    const report = ofYear({ spans: spansOf([...year2025, close]) });
    assert.deepEqual(four(row(report, '4110')), [0, 1_200_000, 1_200_000, 0]);
    assert.deepEqual(four(row(report, '3330')), [-1_400_000, 0, 816_400, -2_216_400]);
  });
});

describe('a parent', () => {
  const below = subAccount('1140-1', '1140');
  const lower = subAccount('1140-1-1', '1140-1', [below]);
  const tree = [...chart, lower, below];
  const report = (more: Partial<TrialBalanceInput> = {}) =>
    trialBalance({
      ...asked,
      accounts: tree,
      spans: {
        earlier: normal({ '1140': [100, 0], '3110': [0, 100] }),
        before: noFigures,
        range: normal({ '1140-1-1': [7, 2], '3110': [0, 5] }),
      },
      ...more,
    });

  it('has its own figures, and those of all below it', () => {
    const parent = row(report(), '1140');
    assert.deepEqual(four(parent), [100, 0, 0, 100]);
    assert.deepEqual(four(parent.with_children!), [100, 7, 2, 105]);
    assert.equal('with_children' in row(report(), '1140-1-1'), false);
  });

  it('is shown for the figures below it alone', () => {
    const middle = row(report(), '1140-1');
    assert.deepEqual(four(middle), [0, 0, 0, 0]);
    assert.deepEqual(four(middle.with_children!), [0, 7, 2, 5]);
    assert.deepEqual(codes(report()), ['1140', '1140-1', '1140-1-1', '3110']);
  });

  it('is counted once in sections and totals', () => {
    assert.deepEqual(four(report().sections[0]!), [100, 7, 2, 105]);
    assert.deepEqual(four(report().totals), [0, 7, 7, 0]);
  });

  it('is shown alone when asked for, and the books still balance', () => {
    const alone = report({ account_id: '1140' });
    assert.deepEqual(codes(alone), ['1140']);
    assert.deepEqual(four(alone.rows[0]!.with_children!), [100, 7, 2, 105]);
    assert.deepEqual(four(alone.totals), [100, 0, 0, 100]);
    assert.equal(alone.balanced, true);
  });
});

describe('a trial balance by company', () => {
  const withCompany = year2025.map((each) =>
    each.date < '2025-03'
      ? { ...each, postings: each.postings.map((p) => ({ ...p, company_id: 'comp_1' })) }
      : each,
  );
  const groups = [
    { id: 'comp_1', name: '山田商店', spans: spansOf(withCompany, year, 'comp_1') },
    { id: 'comp_2', name: '佐藤商店', spans: spansOf(withCompany, year, 'comp_2') },
    { id: null, name: '指定なし', spans: spansOf(withCompany, year, null) },
  ];

  it('divides each row, and leaves out who has no figures', () => {
    const { breakdown } = row(ofYear({ groups }), '1220');
    assert.deepEqual(breakdown, [
      { id: 'comp_1', name: '山田商店', opening: 0n, debit: 1_320_000n, credit: 1_320_000n, closing: 0n },
      { id: null, name: '指定なし', opening: 0n, debit: 216_000n, credit: 0n, closing: 216_000n },
    ]);
  });

  it('leaves out a company whose figures cancel out: an invoice of last year, and its mirror', () => {
    const mirrored = [
      entry('2024-06-01', { 1220: 5 }, { 3330: 5 }),
      entry('2024-06-01', { 3330: 5 }, { 1220: 5 }),
    ];
    const spans = spansOf(mirrored);
    const { breakdown } = row(
      ofYear({ spans, groups: [{ id: 'comp_1', name: '山田商店', spans }], include_zero: true }),
      '1220',
    );
    assert.deepEqual(breakdown, []);
  });
});

describe('a trial balance by month', () => {
  const months = monthsOfYear.map(({ key, ...range }) => ({ key, range: figuresOf(year2025, range) }));

  it('has what each month moved, and what it closed with', () => {
    const deposit = row(ofYear({ months }), '1140');
    assert.deepEqual(
      deposit.months!.map(({ key, closing }) => [key, Number(closing)]).filter((_, at) => at < 6),
      [
        ['2025-01', 3_000_000],
        ['2025-02', 4_319_340],
        ['2025-03', 4_319_340],
        ['2025-04', 4_319_340],
        ['2025-05', 4_207_340],
        ['2025-06', 4_207_340],
      ],
    );
    assert.deepEqual(deposit.months![4], {
      key: '2025-05',
      debit: 0n,
      credit: 112_000n,
      closing: 4_207_340n,
    });
  });

  it('has the months of sections and totals', () => {
    const report = ofYear({ months });
    assert.equal(report.sections[0]!.months!.at(-1)!.closing, 3_877_340n);
    assert.deepEqual(report.totals.months![0], {
      key: '2025-01',
      debit: 1_320_000n,
      credit: 1_320_000n,
      closing: 0n,
    });
  });
});
