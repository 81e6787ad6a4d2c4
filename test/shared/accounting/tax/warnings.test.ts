import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taxCategories } from '../../../../shared/accounting/tax/categories.ts';
import { categoryWarnings } from '../../../../shared/accounting/tax/warnings.ts';

const warnedOf = (date: string, ...codes: string[]) =>
  categoryWarnings(
    codes.map((tax_category) => ({ tax_category })),
    date,
  ).map(({ path, code }) => `${path} ${code}`);

describe('a category outside of its days', () => {
  it('is a warning at its line, in both languages', () => {
    assert.deepEqual(categoryWarnings([{ tax_category: 'P10' }, { tax_category: 'P10T80' }], '2026-10-01'), [
      {
        path: '/lines/1/tax_category',
        code: 'tax_category_not_in_force',
        message: {
          en: 'P10T80 is not in force on 2026-10-01',
          ja: 'P10T80 は 2026-10-01 には適用されていません',
        },
      },
    ]);
  });

  const edges: [code: string, first: string, last: string, before: string, after: string][] = [
    ['S8', '2014-04-01', '2019-09-30', '2014-03-31', '2019-10-01'],
    ['P10T80', '2023-10-01', '2026-09-30', '2023-09-30', '2026-10-01'],
    ['P8RT70', '2026-10-01', '2028-09-30', '2026-09-30', '2028-10-01'],
    ['PC10T50', '2028-10-01', '2030-09-30', '2028-09-30', '2030-10-01'],
    ['PN8RT30', '2030-10-01', '2031-09-30', '2030-09-30', '2031-10-01'],
  ];
  for (const [code, first, last, before, after] of edges) {
    it(`${code} is one before ${first} and after ${last}`, () => {
      const expected = ['/lines/0/tax_category tax_category_not_in_force'];
      assert.deepEqual(
        [before, first, last, after].map((date) => warnedOf(date, code)),
        [expected, [], [], expected],
      );
    });
  }

  it('is told for each line', () => {
    const codes = taxCategories.map(({ code }) => code);
    assert.equal(warnedOf('2013-01-01', ...codes).length, 55);
    assert.deepEqual(warnedOf('2013-01-01', 'O', 'PE', 'SX', 'SE', 'SN'), []);
  });
});
