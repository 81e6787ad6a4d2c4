import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Purchase,
  type PurchasedLine,
  type PurchasedRow,
  payablesOf,
  purchaseEntry,
} from '../../../shared/received/journals/invoice-entry.ts';
import { exclusive, inclusive, shown } from '../accounting/sources/books.ts';

/** Codes of the chart of which what is bought is owed otherwise; null is 5120, goods. */
const OTHERWISE = ['6210', '6310', '1630'];

const row = (of: Partial<PurchasedRow> & { gross: bigint; deductible: bigint }): PurchasedRow => {
  return { tax_category: 'standard', tax_rate: 10, share: 100, ...of };
};

const line = (amount: bigint, of: Partial<PurchasedLine> = {}): PurchasedLine => {
  return { tax_category: 'standard', amount, account_id: null, purpose: 'taxable', ...of };
};

const purchase = (of: Partial<Purchase>): Purchase => ({
  date: '2026-11-02',
  company_id: 'comp_1',
  withholding_tax: 0n,
  rows: [],
  lines: [],
  isOwedOtherwise: (account_id) => account_id !== null && OTHERWISE.includes(account_id),
  ...of,
});

const qualified = row({ gross: 110_000n, deductible: 10_000n });
const unqualified = row({ gross: 110_000n, deductible: 7_000n, share: 70 });
const on = (account_id: string) => ({ account_id });

describe('the entry of a received invoice', () => {
  const table: { name: string; of: Partial<Purchase>; exclusive: string[]; inclusive?: string[] }[] = [
    {
      name: 'of goods',
      of: { rows: [qualified], lines: [line(100_000n)] },
      exclusive: ['5120 P10 100000 / 0', '1580 P10 10000 / 0', '2120 O 0 / 110000'],
      inclusive: ['5120 P10 110000 / 0', '2120 O 0 / 110000'],
    },
    {
      name: 'of a supplier without a number, whose tax is deductible in part',
      of: { rows: [unqualified], lines: [line(100_000n, on('5120'))] },
      exclusive: ['5120 P10T70 103000 / 0', '1580 P10T70 7000 / 0', '2120 O 0 / 110000'],
      inclusive: ['5120 P10T70 110000 / 0', '2120 O 0 / 110000'],
    },
    {
      name: 'of a category without lines',
      of: { rows: [qualified] },
      exclusive: ['5120 P10 100000 / 0', '1580 P10 10000 / 0', '2120 O 0 / 110000'],
    },
    {
      name: 'of expenses and goods, each owed as it is',
      of: {
        rows: [qualified],
        lines: [line(60_000n, on('6310')), line(30_000n), line(10_000n, on('1630'))],
      },
      exclusive: [
        '6310 P10 60000 / 0',
        '5120 P10 30000 / 0',
        '1630 P10 10000 / 0',
        '1580 P10 10000 / 0',
        '2120 O 0 / 33000',
        '2310 O 0 / 77000',
      ],
    },
    {
      name: 'whose fractions go to the largest account',
      of: {
        rows: [row({ gross: 100n, deductible: 9n })],
        lines: [line(1n, on('6210')), line(2n, on('6310')), line(0n)],
      },
      exclusive: ['6210 P10 30 / 0', '6310 P10 61 / 0', '1580 P10 9 / 0', '2310 O 0 / 100'],
    },
    {
      name: 'for taxed sales, for both, and for exempt ones',
      of: {
        rows: [
          qualified,
          row({ tax_category: 'reduced', tax_rate: 8, gross: 1_080n, deductible: 56n, share: 70 }),
        ],
        lines: [
          line(50_000n),
          line(30_000n, { purpose: 'common' }),
          line(20_000n, { purpose: 'exempt' }),
          line(500n, { tax_category: 'reduced', purpose: 'common' }),
          line(500n, { tax_category: 'reduced', purpose: 'exempt' }),
        ],
      },
      exclusive: [
        '5120 P10 50000 / 0',
        '1580 P10 5000 / 0',
        '5120 PC10 30000 / 0',
        '1580 PC10 3000 / 0',
        '5120 PN10 20000 / 0',
        '1580 PN10 2000 / 0',
        '5120 PC8RT70 512 / 0',
        '1580 PC8RT70 28 / 0',
        '5120 PN8RT70 512 / 0',
        '1580 PN8RT70 28 / 0',
        '2120 O 0 / 111080',
      ],
    },
    {
      name: 'at the 8 % of before, which has no purposes',
      of: {
        rows: [row({ tax_category: 'legacy_8', tax_rate: 8, gross: 1_080n, deductible: 80n })],
        lines: [line(1_000n, { tax_category: 'legacy_8', purpose: 'exempt' })],
      },
      exclusive: ['5120 P8 1000 / 0', '1580 P8 80 / 0', '2120 O 0 / 1080'],
    },
    {
      name: 'over a change of the share, in rows by their dates',
      of: {
        rows: [
          row({ gross: 55_000n, deductible: 4_000n, share: 80 }),
          row({ gross: 55_000n, deductible: 3_500n, share: 70 }),
        ],
        lines: [line(100_000n)],
      },
      exclusive: [
        '5120 P10T80 51000 / 0',
        '1580 P10T80 4000 / 0',
        '5120 P10T70 51500 / 0',
        '1580 P10T70 3500 / 0',
        '2120 O 0 / 110000',
      ],
    },
    {
      name: 'of two days with one share is summed',
      of: { rows: [unqualified, unqualified], lines: [line(1n)] },
      exclusive: ['5120 P10T70 206000 / 0', '1580 P10T70 14000 / 0', '2120 O 0 / 220000'],
    },
    {
      name: 'of what is exempt, not taxed, or without a share',
      of: {
        rows: [
          row({ tax_category: 'exempt', tax_rate: 0, gross: 500n, deductible: 0n }),
          row({ tax_category: 'out_of_scope', tax_rate: 0, gross: 300n, deductible: 0n }),
          row({ gross: 110n, deductible: 0n, share: 0 }),
        ],
      },
      exclusive: ['5120 PE 500 / 0', '5120 O 410 / 0', '2120 O 0 / 910'],
    },
    {
      name: 'less what is withheld, which comes off what is owed otherwise',
      of: {
        withholding_tax: 10_210n,
        rows: [qualified],
        lines: [line(95_000n), line(5_000n, on('6310'))],
      },
      exclusive: [
        '5120 P10 95000 / 0',
        '6310 P10 5000 / 0',
        '1580 P10 10000 / 0',
        '2120 O 0 / 99790',
        '2365 O 0 / 10210',
      ],
    },
    {
      name: 'below 0, on the other sides',
      of: {
        rows: [row({ gross: -1_100n, deductible: -100n })],
        lines: [line(-900n, on('6310')), line(-100n)],
      },
      exclusive: [
        '6310 P10 0 / 900',
        '5120 P10 0 / 100',
        '1580 P10 0 / 100',
        '2120 O 110 / 0',
        '2310 O 990 / 0',
      ],
    },
    {
      name: 'with a discount on an account of its own',
      of: { rows: [qualified], lines: [line(110_000n, on('6310')), line(-10_000n)] },
      exclusive: [
        '6310 P10 110000 / 0',
        '5120 P10 0 / 10000',
        '1580 P10 10000 / 0',
        '2120 O 11000 / 0',
        '2310 O 0 / 121000',
      ],
    },
  ];
  for (const { name, of, ...expected } of table) {
    it(name, () => {
      assert.deepEqual(shown(purchaseEntry(purchase(of), exclusive)), expected.exclusive);
      if (expected.inclusive)
        assert.deepEqual(shown(purchaseEntry(purchase(of), inclusive)), expected.inclusive);
    });
  }

  it('is none of nothing, and refused for a rate that the books have no category for', () => {
    assert.deepEqual(purchaseEntry(purchase({}), exclusive), { outcome: 'nothing_to_post' });
    const old = row({ tax_rate: 5, gross: 105n, deductible: 5n });
    assert.deepEqual(purchaseEntry(purchase({ rows: [old, old] }), exclusive), {
      outcome: 'no_tax_category',
      missing: [{ tax_category: 'standard', tax_rate: 5 }],
    });
  });

  it('balances to the yen, and owes the total less what is withheld', () => {
    const category = fc.constantFrom('standard' as const, 'reduced' as const, 'exempt' as const);
    const rateOf = { standard: 10, reduced: 8, exempt: 0 };
    const rows = fc.array(
      fc
        .record({
          tax_category: category,
          gross: fc.bigInt({ min: -10_000_000n, max: 10_000_000n }),
          share: fc.constantFrom(100, 80, 70, 50, 30, 0),
        })
        .map(({ tax_category, gross, share }): PurchasedRow => {
          const tax_rate = rateOf[tax_category];
          const deductible = (gross * BigInt(tax_rate * share)) / BigInt((100 + tax_rate) * 100);
          return { tax_category, tax_rate, gross, share, deductible };
        }),
      { maxLength: 6 },
    );
    const lines = fc.array(
      fc.record({
        tax_category: category,
        amount: fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
        account_id: fc.constantFrom(null, '5120', '6210', '6310', '1630'),
        purpose: fc.constantFrom('taxable' as const, 'common' as const, 'exempt' as const),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, lines, fc.bigInt({ min: 0n, max: 100_000n }), (rows, lines, withholding_tax) => {
        const total = rows.reduce((sum, { gross }) => sum + gross, 0n);
        const of = purchase({ rows, lines, withholding_tax });
        const { payable, payable_other } = payablesOf(of);
        assert.equal(payable + payable_other, total - withholding_tax);
        for (const books of [exclusive, inclusive]) {
          const entry = purchaseEntry(of, books);
          if (entry.outcome === 'nothing_to_post') return;
          assert.equal(entry.outcome, 'entry');
          assert.ok(entry.lines.every(({ debit, credit }) => (debit === 0) !== (credit === 0)));
          const sum = entry.lines.reduce((all, { debit, credit }) => all + debit - credit, 0);
          assert.equal(sum, 0);
        }
      }),
    );
  });
});
