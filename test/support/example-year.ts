import type { Books } from './books.ts';

/**
 * Books of a small company in 2025: opening balances, sales with tax, a receipt less its fee, a purchase without an
 * invoice number, a sale of equipment, a loan, an entry that is void, and two adjustments at the end of the year.
 */
export async function bookExampleYear(books: Books): Promise<void> {
  await books.post_entry(
    '2025-01-01',
    [
      ['1140', 3_000_000],
      ['1650', 600_000],
      ['1690', -200_000],
      ['2520', -1_000_000],
      ['3110', -1_000_000],
      ['3330', -1_400_000],
    ],
    { kind: 'opening' },
  );
  await books.post_entry('2025-02-10', [
    ['1220', 1_320_000],
    ['4110', -1_200_000, { tax_category: 'S10' }],
    ['2385', -120_000, { tax_category: 'S10' }],
  ]);
  await books.post_entry('2025-03-31', [
    ['1140', 1_319_340],
    ['6310', 600, { tax_category: 'P10' }],
    ['1580', 60, { tax_category: 'P10' }],
    ['1220', -1_320_000],
  ]);
  await books.post_entry('2025-04-15', [
    ['5140', 55_000, { tax_category: 'P10T80', auto_tax: true }],
    ['2120', -55_000],
  ]);
  await books.post_entry('2025-05-20', [
    ['1690', 120_000],
    ['8220', 80_000],
    ['1650', -200_000],
  ]);
  await books.post_entry('2025-06-30', [
    ['2520', 100_000],
    ['7210', 12_000],
    ['1140', -112_000],
  ]);
  const postage = await books.post_entry('2025-07-07', [
    ['6230', 9_900],
    ['1110', -9_900],
  ]);
  await books.act(postage.id, 'void', { reason: '二重計上' });
  await books.post_entry('2025-08-31', [
    ['1220', 216_000],
    ['4120', -200_000, { tax_category: 'S8R' }],
    ['2385', -16_000, { tax_category: 'S8R' }],
  ]);
  await books.post_entry('2025-10-01', [
    ['1650', 300_000],
    ['1580', 30_000, { tax_category: 'P10' }],
    ['1140', -330_000],
  ]);
  await books.post_entry(
    '2025-12-31',
    [
      ['6410', 90_000],
      ['1690', -90_000],
    ],
    { kind: 'adjusting' },
  );
  await books.post_entry(
    '2025-12-31',
    [
      ['9110', 350_000],
      ['2330', -350_000],
    ],
    { kind: 'adjusting' },
  );
}
