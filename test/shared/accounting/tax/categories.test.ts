import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartOfAccounts } from '../../../../shared/accounting/accounts/chart.ts';
import {
  categoriesInForce,
  isInForce,
  type TaxCategory,
  taxCategories,
  taxCategory,
} from '../../../../shared/accounting/tax/categories.ts';

const codesOf = (categories: readonly TaxCategory[]) => categories.map(({ code }) => code).join(' ');

/** Sellers without a number, by share. */
const unregistered = (share: number) =>
  ['P10', 'P8R', 'P8', 'PR10', 'PR8R', 'PC10', 'PC8R', 'PN10', 'PN8R']
    .map((code) => `${code}T${share}`)
    .join(' ');

describe('the tax categories', () => {
  it('are these sixty', () => {
    assert.equal(
      codesOf(taxCategories),
      [
        'S10 S8R S8 SX SE SN SR10 SR8R SR8 SB10 SB8R SB8',
        'P10 P8R P8 PR10 PR8R PR8 PE PC10 PC8R PN10 PN8R',
        ...[80, 70, 50, 30].map(unregistered),
        'O',
      ].join(' '),
    );
    assert.equal(taxCategories.length, 60);
    assert.equal(new Set(taxCategories.map(({ code }) => code)).size, 60);
  });

  const rows: [code: string, name: string, side: string, rate: number, deductible: number][] = [
    ['S10', '課税売上10%', 'sales', 10, 100],
    ['S8R', '課税売上8%（軽）', 'sales', 8, 100],
    ['S8', '課税売上8%', 'sales', 8, 100],
    ['SX', '輸出売上0%', 'sales', 0, 100],
    ['SE', '非課売上', 'sales', 0, 100],
    ['SN', '対外売上', 'sales', 0, 100],
    ['SR10', '課税売返10%', 'sales', 10, 100],
    ['SR8R', '課税売返8%（軽）', 'sales', 8, 100],
    ['SR8', '課税売返8%', 'sales', 8, 100],
    ['SB10', '課税売倒10%', 'sales', 10, 100],
    ['SB8R', '課税売倒8%（軽）', 'sales', 8, 100],
    ['SB8', '課税売倒8%', 'sales', 8, 100],
    ['P10', '課対仕入10%', 'purchase', 10, 100],
    ['P8R', '課対仕入8%（軽）', 'purchase', 8, 100],
    ['P8', '課対仕入8%', 'purchase', 8, 100],
    ['PR10', '課対仕返10%', 'purchase', 10, 100],
    ['PR8R', '課対仕返8%（軽）', 'purchase', 8, 100],
    ['PR8', '課対仕返8%', 'purchase', 8, 100],
    ['PE', '非課仕入', 'purchase', 0, 100],
    ['PC10', '共対仕入10%', 'purchase', 10, 100],
    ['PC8R', '共対仕入8%（軽）', 'purchase', 8, 100],
    ['PN10', '非対仕入10%', 'purchase', 10, 100],
    ['PN8R', '非対仕入8%（軽）', 'purchase', 8, 100],
    ['O', '対象外', 'none', 0, 100],
    ...[80, 70, 50, 30].flatMap((share): typeof rows => [
      [`P10T${share}`, `課対仕入（控${share}）10%`, 'purchase', 10, share],
      [`P8RT${share}`, `課対仕入（控${share}）8%（軽）`, 'purchase', 8, share],
      [`P8T${share}`, `課対仕入（控${share}）8%`, 'purchase', 8, share],
      [`PR10T${share}`, `課対仕返（控${share}）10%`, 'purchase', 10, share],
      [`PR8RT${share}`, `課対仕返（控${share}）8%（軽）`, 'purchase', 8, share],
      [`PC10T${share}`, `共対仕入（控${share}）10%`, 'purchase', 10, share],
      [`PC8RT${share}`, `共対仕入（控${share}）8%（軽）`, 'purchase', 8, share],
      [`PN10T${share}`, `非対仕入（控${share}）10%`, 'purchase', 10, share],
      [`PN8RT${share}`, `非対仕入（控${share}）8%（軽）`, 'purchase', 8, share],
    ]),
  ];
  for (const [code, ...expected] of rows) {
    it(`${code} is ${expected.join(', ')}`, () => {
      const { name, side, rate, deductible_percent } = taxCategory(code);
      assert.deepEqual([name, side, rate, deductible_percent], expected);
    });
  }

  it('are all in that table', () => {
    assert.deepEqual(rows.map(([code]) => code).sort(), taxCategories.map(({ code }) => code).sort());
  });

  it('have English names that tell them apart', () => {
    assert.equal(
      taxCategory('PC8RT80').name_en,
      'Purchases for taxable and exempt sales (80% deductible) 8% (reduced)',
    );
    assert.equal(taxCategory('SN').name_en, 'Out-of-scope sales');
    assert.equal(new Set(taxCategories.map(({ name_en }) => name_en)).size, 60);
  });

  it('are those that the chart begins with', () => {
    for (const { tax_category } of chartOfAccounts())
      assert.equal(taxCategory(tax_category).code, tax_category);
  });

  it('are found by their own code alone', () => {
    for (const code of ['', 's10', 'P10T60', 'PR8T80', 'constructor']) {
      assert.throws(() => taxCategory(code), /no tax category/, code);
    }
  });
});

const ALWAYS = ['SX', 'SE', 'SN', 'PE', 'O'];
const LEGACY = ['S8', 'SR8', 'SB8', 'P8', 'PR8'];
const PRESENT = ['S', 'SR', 'SB', 'P', 'PR', 'PC', 'PN'].flatMap((family) => [`${family}10`, `${family}8R`]);

describe('the categories in force', () => {
  const edges: [date: string, codes: readonly string[]][] = [
    ['1980-01-01', ALWAYS],
    ['2014-03-31', ALWAYS],
    ['2014-04-01', [...ALWAYS, ...LEGACY]],
    ['2019-09-30', [...ALWAYS, ...LEGACY]],
    ['2019-10-01', [...ALWAYS, ...PRESENT]],
    ['2023-09-30', [...ALWAYS, ...PRESENT]],
    ['2023-10-01', [...ALWAYS, ...PRESENT, ...unregistered(80).split(' ')]],
    ['2026-09-30', [...ALWAYS, ...PRESENT, ...unregistered(80).split(' ')]],
    ['2026-10-01', [...ALWAYS, ...PRESENT, ...unregistered(70).split(' ')]],
    ['2028-09-30', [...ALWAYS, ...PRESENT, ...unregistered(70).split(' ')]],
    ['2028-10-01', [...ALWAYS, ...PRESENT, ...unregistered(50).split(' ')]],
    ['2030-09-30', [...ALWAYS, ...PRESENT, ...unregistered(50).split(' ')]],
    ['2030-10-01', [...ALWAYS, ...PRESENT, ...unregistered(30).split(' ')]],
    ['2031-09-30', [...ALWAYS, ...PRESENT, ...unregistered(30).split(' ')]],
    ['2031-10-01', [...ALWAYS, ...PRESENT]],
  ];
  for (const [date, codes] of edges) {
    it(`on ${date} are these ${codes.length}`, () => {
      const inForce = categoriesInForce(date).map(({ code }) => code);
      assert.deepEqual(inForce.toSorted(), codes.toSorted());
      for (const category of taxCategories) {
        assert.equal(isInForce(category, date), codes.includes(category.code), category.code);
      }
    });
  }

  it('stand in the order of all', () => {
    assert.deepEqual(codesOf(categoriesInForce('2019-09-30')), 'S8 SX SE SN SR8 SB8 P8 PR8 PE O');
  });
});
