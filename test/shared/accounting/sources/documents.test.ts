import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  creditNoteEntry,
  invoiceEntry,
  type SourceInvoice,
} from '../../../../shared/accounting/sources/documents.ts';
import type { SoldAs } from '../../../../shared/accounting/sources/sales-categories.ts';
import { exclusive, inclusive, linesOf, shown } from './books.ts';

type Sold = [tax_category: SoldAs, tax_rate: number, net: number, tax: number];

/** A document with these sums that is due less what is withheld. */
function document(sold: readonly Sold[], withheld = 0) {
  const total = sold.reduce((sum, [, , net, tax]) => sum + net + tax, 0);
  return {
    company_id: 'comp_1',
    amount_due: BigInt(total - withheld),
    withholding_tax: BigInt(withheld),
    tax_breakdown: sold.map(([tax_category, tax_rate, net, tax]) => ({
      tax_category,
      tax_rate,
      net: BigInt(net),
      tax: BigInt(tax),
      gross: BigInt(net + tax),
    })),
  };
}

const days = { transaction_date: '2026-04-01', transaction_to: null };

const invoice = (sold: readonly Sold[], withheld?: number): SourceInvoice => ({
  ...document(sold, withheld),
  ...days,
});

const note = (sold: readonly Sold[], withheld?: number) => ({
  ...document(sold, withheld),
  issue_date: '2026-05-10',
});

describe('the entry of an invoice', () => {
  const table: { name: string; sold: Sold[]; withheld?: number; exclusive: string[]; inclusive: string[] }[] =
    [
      {
        name: 'of the standard rate',
        sold: [['standard', 10, 1_200_000, 120_000]],
        exclusive: ['1220 O 1320000 / 0', '4110 S10 0 / 1200000', '2385 S10 0 / 120000'],
        inclusive: ['1220 O 1320000 / 0', '4110 S10 0 / 1320000'],
      },
      {
        name: 'of the reduced rate',
        sold: [['reduced', 8, 200_000, 16_000]],
        exclusive: ['1220 O 216000 / 0', '4120 S8R 0 / 200000', '2385 S8R 0 / 16000'],
        inclusive: ['1220 O 216000 / 0', '4120 S8R 0 / 216000'],
      },
      {
        name: 'of 8 % before October 2019',
        sold: [['standard', 8, 1_000, 80]],
        exclusive: ['1220 O 1080 / 0', '4110 S8 0 / 1000', '2385 S8 0 / 80'],
        inclusive: ['1220 O 1080 / 0', '4110 S8 0 / 1080'],
      },
      {
        name: 'of every category, each with its own tax',
        sold: [
          ['standard', 10, 1_000, 100],
          ['reduced', 8, 2_000, 160],
          ['legacy_8', 8, 3_000, 240],
          ['zero_rated', 0, 4_000, 0],
          ['exempt', 0, 5_000, 0],
          ['out_of_scope', 0, 6_000, 0],
        ],
        exclusive: [
          '1220 O 21500 / 0',
          '4110 S10 0 / 1000',
          '2385 S10 0 / 100',
          '4120 S8R 0 / 2000',
          '2385 S8R 0 / 160',
          '4110 S8 0 / 3000',
          '2385 S8 0 / 240',
          '4140 SX 0 / 4000',
          '4150 SE 0 / 5000',
          '4110 SN 0 / 6000',
        ],
        inclusive: [
          '1220 O 21500 / 0',
          '4110 S10 0 / 1100',
          '4120 S8R 0 / 2160',
          '4110 S8 0 / 3240',
          '4140 SX 0 / 4000',
          '4150 SE 0 / 5000',
          '4110 SN 0 / 6000',
        ],
      },
      {
        name: 'from which income tax is withheld',
        sold: [['standard', 10, 300_000, 30_000]],
        withheld: 30_630,
        exclusive: ['1220 O 299370 / 0', '1590 O 30630 / 0', '4110 S10 0 / 300000', '2385 S10 0 / 30000'],
        inclusive: ['1220 O 299370 / 0', '1590 O 30630 / 0', '4110 S10 0 / 330000'],
      },
      {
        name: 'whose tax rounds to 0',
        sold: [['standard', 10, 9, 0]],
        exclusive: ['1220 O 9 / 0', '4110 S10 0 / 9'],
        inclusive: ['1220 O 9 / 0', '4110 S10 0 / 9'],
      },
      {
        name: 'with a discount that is a category of its own',
        sold: [
          ['standard', 10, 1_000, 100],
          ['reduced', 8, -200, -16],
        ],
        exclusive: [
          '1220 O 884 / 0',
          '4110 S10 0 / 1000',
          '2385 S10 0 / 100',
          '4120 S8R 200 / 0',
          '2385 S8R 16 / 0',
        ],
        inclusive: ['1220 O 884 / 0', '4110 S10 0 / 1100', '4120 S8R 216 / 0'],
      },
      {
        name: 'that is negative as a whole',
        sold: [['standard', 10, -999, -99]],
        exclusive: ['1220 O 0 / 1098', '4110 S10 999 / 0', '2385 S10 99 / 0'],
        inclusive: ['1220 O 0 / 1098', '4110 S10 1098 / 0'],
      },
      {
        name: 'of which nothing is due, though something was sold',
        sold: [
          ['exempt', 0, 500, 0],
          ['out_of_scope', 0, -500, 0],
        ],
        exclusive: ['4150 SE 0 / 500', '4110 SN 500 / 0'],
        inclusive: ['4150 SE 0 / 500', '4110 SN 500 / 0'],
      },
      {
        name: 'of twelve digits',
        sold: [['standard', 10, 909_090_909_090, 90_909_090_909]],
        exclusive: ['1220 O 999999999999 / 0', '4110 S10 0 / 909090909090', '2385 S10 0 / 90909090909'],
        inclusive: ['1220 O 999999999999 / 0', '4110 S10 0 / 999999999999'],
      },
    ];
  for (const { name, sold, withheld, ...expected } of table) {
    it(name, () => {
      assert.deepEqual(shown(invoiceEntry(invoice(sold, withheld), exclusive)), expected.exclusive);
      assert.deepEqual(shown(invoiceEntry(invoice(sold, withheld), inclusive)), expected.inclusive);
    });
  }

  it('is dated the day of the transaction, of a period its last one', () => {
    const dateOf = (transaction_date: string | null, transaction_to: string | null) => {
      const made = invoiceEntry(
        { ...invoice([['exempt', 0, 1, 0]]), transaction_date, transaction_to },
        exclusive,
      );
      return made.outcome === 'entry' && made.date;
    };
    assert.equal(dateOf('2026-04-01', null), '2026-04-01');
    assert.equal(dateOf(null, '2026-04-30'), '2026-04-30');
    assert.throws(() => dateOf(null, null), /neither/);
  });

  it('names the company on every line, and no department', () => {
    const lines = linesOf(invoiceEntry(invoice([['standard', 10, 1_000, 100]], 10), exclusive));
    assert.equal(lines.length, 4);
    for (const { company_id, department_id, description } of lines) {
      assert.deepEqual([company_id, department_id, description], ['comp_1', null, null]);
    }
  });

  it('is none where all amounts are 0', () => {
    for (const sold of [[], [['standard', 10, 0, 0]], [['standard', 5, 0, 0]]] as Sold[][]) {
      assert.deepEqual(invoiceEntry(invoice(sold), exclusive), { outcome: 'nothing_to_post' });
    }
  });
});

describe('the entry of a credit note', () => {
  const table: { name: string; sold: Sold[]; withheld?: number; exclusive: string[]; inclusive: string[] }[] =
    [
      {
        name: 'of every category: taxed ones are returns, the others as they are',
        sold: [
          ['standard', 10, 1_000, 100],
          ['reduced', 8, 2_000, 160],
          ['legacy_8', 8, 3_000, 240],
          ['zero_rated', 0, 4_000, 0],
          ['exempt', 0, 5_000, 0],
          ['out_of_scope', 0, 6_000, 0],
        ],
        exclusive: [
          '4190 SR10 1000 / 0',
          '2385 SR10 100 / 0',
          '4190 SR8R 2000 / 0',
          '2385 SR8R 160 / 0',
          '4190 SR8 3000 / 0',
          '2385 SR8 240 / 0',
          '4190 SX 4000 / 0',
          '4190 SE 5000 / 0',
          '4190 SN 6000 / 0',
          '1220 O 0 / 21500',
        ],
        inclusive: [
          '4190 SR10 1100 / 0',
          '4190 SR8R 2160 / 0',
          '4190 SR8 3240 / 0',
          '4190 SX 4000 / 0',
          '4190 SE 5000 / 0',
          '4190 SN 6000 / 0',
          '1220 O 0 / 21500',
        ],
      },
      {
        name: 'with what is withheld less',
        sold: [['standard', 10, 300_000, 30_000]],
        withheld: 30_630,
        exclusive: ['4190 SR10 300000 / 0', '2385 SR10 30000 / 0', '1220 O 0 / 299370', '1590 O 0 / 30630'],
        inclusive: ['4190 SR10 330000 / 0', '1220 O 0 / 299370', '1590 O 0 / 30630'],
      },
      {
        name: 'of a discount that is taken back',
        sold: [['standard', 8, -1_000, -80]],
        exclusive: ['4190 SR8 0 / 1000', '2385 SR8 0 / 80', '1220 O 1080 / 0'],
        inclusive: ['4190 SR8 0 / 1080', '1220 O 1080 / 0'],
      },
    ];
  for (const { name, sold, withheld, ...expected } of table) {
    it(name, () => {
      assert.deepEqual(shown(creditNoteEntry(note(sold, withheld), exclusive)), expected.exclusive);
      assert.deepEqual(shown(creditNoteEntry(note(sold, withheld), inclusive)), expected.inclusive);
    });
  }

  it('is dated its issue date', () => {
    const made = creditNoteEntry(note([['exempt', 0, 1, 0]]), exclusive);
    assert.equal(made.outcome === 'entry' && made.date, '2026-05-10');
  });

  it('is none where all amounts are 0', () => {
    assert.deepEqual(creditNoteEntry(note([]), exclusive), { outcome: 'nothing_to_post' });
  });
});

describe('a document is refused', () => {
  const without: Sold[] = [
    ['standard', 5, 1_000, 50],
    ['exempt', 0, 1_000, 0],
  ];

  it('whose rate has no category', () => {
    const missing = [{ tax_category: 'standard', tax_rate: 5 }];
    for (const books of [exclusive, inclusive]) {
      assert.deepEqual(invoiceEntry(invoice(without), books), { outcome: 'no_tax_category', missing });
      assert.deepEqual(creditNoteEntry(note(without), books), { outcome: 'no_tax_category', missing });
    }
    assert.equal(invoiceEntry(invoice([['standard', 3, 100, 3]]), exclusive).outcome, 'no_tax_category');
    assert.equal(invoiceEntry(invoice([['reduced', 10, 100, 10]]), exclusive).outcome, 'no_tax_category');
  });

  it('that needs places which the map leaves empty, each named once', () => {
    const { account_map } = exclusive;
    const bare = {
      ...exclusive,
      account_map: { ...account_map, output_tax: null, sales: { ...account_map.sales, reduced: null } },
    };
    const sold: Sold[] = [
      ['standard', 10, 1_000, 100],
      ['reduced', 8, 1_000, 80],
    ];
    assert.deepEqual(invoiceEntry(invoice(sold), bare), {
      outcome: 'account_map_incomplete',
      missing: ['output_tax', 'sales/reduced'],
    });
  });

  it('for no place that it does not need', () => {
    const { account_map } = exclusive;
    const bare = { ...inclusive, account_map: { ...account_map, output_tax: null, withheld: null } };
    assert.equal(invoiceEntry(invoice([['standard', 10, 1_000, 100]]), bare).outcome, 'entry');
  });
});
