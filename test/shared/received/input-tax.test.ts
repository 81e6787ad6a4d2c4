import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TaxCategory, taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import type { TaxRow } from '../../../shared/received/amounts/record.ts';
import {
  type InputTaxContext,
  inputTaxOf,
  type TaxedInvoice,
} from '../../../shared/received/input-tax/input-tax.ts';
import { periodWarnings, registrationWarnings } from '../../../shared/received/input-tax/warnings.ts';
import { taxRulesOfLaw } from '../../support/tax-rules.ts';

/** A row of a gross amount; the printed tax is one that nothing but a qualified invoice may follow. */
function row(
  gross: number,
  transaction_date: string,
  { tax_category = 'standard' as TaxCategory, tax = 7n, is_dated = true } = {},
): TaxRow {
  const tax_rate = taxRateOn(tax_category, transaction_date)!;
  const whole = BigInt(gross);
  return { tax_category, tax_rate, transaction_date, is_dated, net: whole - tax, tax, gross: whole };
}

const context: InputTaxContext = {
  rules: taxRulesOfLaw,
  small_amount_rule: false,
  roundingOn: () => null,
};

function of(rows: TaxRow[], invoice: Partial<TaxedInvoice> = {}, given: Partial<InputTaxContext> = {}) {
  return inputTaxOf(
    { rows, qualified: false, deduction_basis: 'auto', ...invoice },
    { ...context, ...given },
  );
}

describe('the deductible tax of a seller without a number', () => {
  /** First days with the share, and what is deductible of 110,000 and 9,999 standard and of 1,296 reduced. */
  const table: [day: string, share: number, ...deductible: [number, number, number]][] = [
    ['2023-09-30', 100, 10_000, 909, 96],
    ['2023-10-01', 80, 8_000, 727, 76],
    ['2026-09-30', 80, 8_000, 727, 76],
    ['2026-10-01', 70, 7_000, 636, 67],
    ['2028-09-30', 70, 7_000, 636, 67],
    ['2028-10-01', 50, 5_000, 454, 48],
    ['2030-09-30', 50, 5_000, 454, 48],
    ['2030-10-01', 30, 3_000, 272, 28],
    ['2031-09-30', 30, 3_000, 272, 28],
    ['2031-10-01', 0, 0, 0, 0],
  ];
  for (const [day, share, ...expected] of table) {
    it(`on ${day} is ${share} %`, () => {
      const rows = [row(110_000, day), row(9_999, day), row(1_296, day, { tax_category: 'reduced' })];
      for (const [index, each] of rows.entries()) {
        const { basis, rows: found, ...sums } = of([each]);
        const tax = [10_000, 909, 96][index]!;
        const deductible = expected[index]!;
        const gross = Number(each.gross);
        assert.equal(basis, share === 0 ? 'none' : 'transitional');
        assert.deepEqual(sums, {
          tax,
          deductible,
          non_deductible: tax - deductible,
          expense: gross - deductible,
        });
        const { tax_category, tax_rate } = each;
        assert.deepEqual(found, [
          { tax_category, tax_rate, transaction_date: day, gross, tax, share, deductible },
        ]);
      }
    });
  }

  it('of a month across a change is that of each part: 4,000 and 3,500', () => {
    const { rows, deductible } = of([row(55_000, '2026-09-30'), row(55_000, '2026-10-20')]);
    assert.deepEqual(
      rows.map((part) => part.deductible),
      [4_000, 3_500],
    );
    assert.equal(deductible, 7_500);
  });

  it('is rounded as the fiscal year of its day says, and never up', () => {
    const found = (['floor', 'round', 'ceil', null] as const).map((rounding) => {
      const { tax, deductible } = of([row(1_755, '2026-11-02')], {}, { roundingOn: () => rounding });
      return [tax, deductible];
    });
    assert.deepEqual(found, [
      [159, 111],
      [160, 112],
      [159, 111],
      [159, 111],
    ]);
    const asks: string[] = [];
    const roundingOn = (day: string) => {
      asks.push(day);
      return day < '2026-10-01' ? 'round' : 'floor';
    };
    const two = of([row(1_755, '2026-09-30'), row(1_755, '2026-10-01')], {}, { roundingOn });
    assert.deepEqual(
      two.rows.map(({ tax, deductible }) => [tax, deductible]),
      [
        [160, 128],
        [159, 111],
      ],
    );
    assert.deepEqual([...new Set(asks)], ['2026-09-30', '2026-10-01']);
  });

  it('of a negative amount mirrors that of a positive one', () => {
    const { tax, deductible, non_deductible, expense } = of([row(-9_999, '2026-11-02')]);
    assert.deepEqual([tax, deductible, non_deductible, expense], [-909, -636, -273, -9_363]);
  });
});

describe('all of the tax is deductible', () => {
  it('of a qualified invoice, as it is printed', () => {
    const { basis, tax, deductible, rows } = of([row(110_000, '2035-01-01')], { qualified: true });
    assert.deepEqual([basis, tax, deductible, rows[0]!.share], ['qualified', 7, 7, 100]);
  });

  it('where the books suffice, as it is within the gross', () => {
    const { basis, tax, deductible } = of([row(110_000, '2035-01-01')], { deduction_basis: 'book_only' });
    assert.deepEqual([basis, tax, deductible], ['book_only', 10_000, 10_000]);
  });

  const small: [gross: number, day: string, basis: string, deductible: number][] = [
    [9_999, '2026-11-02', 'small_amount', 909],
    [10_000, '2026-11-02', 'transitional', 636],
    [-9_999, '2026-11-02', 'small_amount', -909],
    [-10_000, '2026-11-02', 'transitional', -636],
    [9_999, '2023-09-30', 'transitional', 909],
    [9_999, '2023-10-01', 'small_amount', 909],
    [9_999, '2029-09-30', 'small_amount', 909],
    [9_999, '2029-10-01', 'transitional', 454],
  ];
  for (const [gross, day, basis, deductible] of small) {
    it(`of ${gross} on ${day} by the rule of small amounts: ${basis}`, () => {
      const found = of([row(gross, day)], {}, { small_amount_rule: true });
      assert.deepEqual([found.basis, found.deductible], [basis, deductible]);
    });
  }

  it('of small amounts by what the whole invoice comes to, not by its parts', () => {
    const parts = [row(5_000, '2026-11-02'), row(5_000, '2026-11-02', { tax_category: 'reduced' })];
    const { basis, deductible } = of(parts, {}, { small_amount_rule: true });
    assert.deepEqual([basis, deductible], ['transitional', 318 + 259]);
  });
});

describe('nothing is deductible', () => {
  it('where nothing is taxed, whoever sold it', () => {
    const untaxed = [row(5_000, '2026-11-02', { tax_category: 'exempt', tax: 0n })];
    for (const qualified of [true, false]) {
      const { basis, tax, deductible, expense } = of(untaxed, { qualified });
      assert.deepEqual([basis, tax, deductible, expense], ['none', 0, 0, 5_000]);
    }
    assert.deepEqual(of([]), {
      basis: 'none',
      tax: 0,
      deductible: 0,
      non_deductible: 0,
      expense: 0,
      rows: [],
    });
  });
});

describe('a registration number', () => {
  const warned = (registration_number: string | null, of_company: string | null = null, is_invoice = true) =>
    registrationWarnings({ registration_number, company_registration_number: of_company, is_invoice }).map(
      ({ path, code }) => `${path} ${code}`,
    );
  const at = (code: string) => `/registration_number ${code}`;

  it('is missed on invoices alone', () => {
    assert.deepEqual(warned(null), [at('registration_number_missing')]);
    assert.deepEqual(warned(null, 'T7000012050002'), [at('registration_number_missing')]);
    assert.deepEqual(warned(null, null, false), []);
  });

  it('has the digits of a corporate number, and is that of the company', () => {
    assert.deepEqual(warned('T7000012050002'), []);
    assert.deepEqual(warned('T7000012050002', 'T7000012050002'), []);
    assert.deepEqual(warned('T8000012050002', 'T7000012050002', false), [
      at('registration_number_checksum'),
      at('registration_number_differs'),
    ]);
  });
});

describe('a period', () => {
  const warned = (
    from: string | null,
    to: string,
    rows: TaxRow[],
    invoice: Partial<TaxedInvoice> = {},
    given: Partial<InputTaxContext> = {},
  ) =>
    periodWarnings(
      { transaction_from: from, transaction_to: from && to },
      { rows, qualified: false, deduction_basis: 'auto', ...invoice },
      { ...context, ...given },
    ).map(({ path, code }) => `${path} ${code}`);
  const share = '/transaction_period period_spans_share_change';
  const rate = '/transaction_period period_spans_rate_change';
  const undated = [row(110_000, '2026-10-20', { is_dated: false })];

  it('across a change of the share asks for rows by date', () => {
    assert.deepEqual(warned('2026-09-21', '2026-10-20', undated), [share]);
    const untaxed = [row(1, '2026-10-20', { tax_category: 'exempt', is_dated: false })];
    assert.deepEqual(warned('2026-09-21', '2026-10-20', untaxed), []);
    assert.deepEqual(warned('2026-10-01', '2026-10-20', undated), []);
    assert.deepEqual(warned(null, '2026-10-20', undated), []);
    assert.deepEqual(warned('2026-09-21', '2026-10-20', [row(110_000, '2026-10-20')]), []);
  });

  it('asks nothing where the share does not matter', () => {
    assert.deepEqual(warned('2026-09-21', '2026-10-20', undated, { qualified: true }), []);
    assert.deepEqual(warned('2026-09-21', '2026-10-20', undated, { deduction_basis: 'book_only' }), []);
    const little = [row(9_999, '2026-10-20', { is_dated: false })];
    assert.deepEqual(warned('2026-09-21', '2026-10-20', little, {}, { small_amount_rule: true }), []);
  });

  it('across a change of a rate says so', () => {
    const old = [row(110_000, '2019-10-20', { is_dated: false })];
    assert.deepEqual(warned('2019-09-21', '2019-10-20', old, { qualified: true }), [rate]);
  });
});
