import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Amounts } from '../../../shared/received/amounts/amounts.ts';
import type { StatedRow } from '../../../shared/received/documents/fields.ts';
import { accepted, type Given, line, refused } from '../../support/stated-amounts.ts';

describe('what a paper says counts', () => {
  it('a supplier who cuts each of ten lines of 105 prints 80, we would have 84', () => {
    const lines = Array.from({ length: 10 }, () => line(105, 'reduced'));
    const { totals, tax_differences } = accepted({
      lines,
      rows: [{ tax_category: 'reduced', net: 1_050, tax: 80 }],
    });
    assert.deepEqual([totals.subtotal, totals.tax, totals.total], [1_050, 80, 1_130]);
    assert.deepEqual(tax_differences, [{ tax_category: 'reduced', stated: 80, computed: 84 }]);
  });

  const printings: [Partial<StatedRow>, expected: number[]][] = [
    [{ gross: 1_079 }, [981, 98, 1_079]],
    [{ net: 1_079 }, [1_079, 107, 1_186]],
    [{ net: 1_000, tax: 99 }, [1_000, 99, 1_099]],
    [{ tax: 99, gross: 1_099 }, [1_000, 99, 1_099]],
    [{ net: 1_000, gross: 1_099 }, [1_000, 99, 1_099]],
    [{ net: 1_000, tax: 99, gross: 1_099 }, [1_000, 99, 1_099]],
    [{ net: -1_000, tax: -100 }, [-1_000, -100, -1_100]],
  ];
  for (const [printed, expected] of printings) {
    it(`of ${JSON.stringify(printed)} the sums are ${expected.join(' + ')}`, () => {
      const { totals } = accepted({ rows: [printed] });
      assert.deepEqual([totals.subtotal, totals.tax, totals.total], expected);
    });
  }

  it('lines count where nothing is printed of their category', () => {
    const { totals, rows } = accepted({
      lines: [
        line(1_000),
        line(500, 'reduced'),
        { ...line(0), type: 'text', quantity: null, unit_price: null, tax_category: null },
      ],
      rows: [{ net: 1_000, tax: 101 }],
    });
    assert.deepEqual(totals.tax_breakdown, [
      { tax_category: 'standard', tax_rate: 10, net: 1_000, tax: 101, gross: 1_101 },
      { tax_category: 'reduced', tax_rate: 8, net: 500, tax: 40, gross: 540 },
    ]);
    assert.deepEqual([totals.total, rows.length], [1_641, 2]);
  });

  it('each dated row has the rate of its date', () => {
    const { totals, rows } = accepted({
      day: '2019-10-31',
      rows: [{ gross: 10_800, transaction_date: '2019-09-30' }, { gross: 11_000 }],
    });
    assert.deepEqual(
      rows.map(({ transaction_date, tax_rate, tax, is_dated }) => [
        transaction_date,
        tax_rate,
        Number(tax),
        is_dated,
      ]),
      [
        ['2019-09-30', 8, 800, true],
        ['2019-10-31', 10, 1_000, false],
      ],
    );
    assert.deepEqual(
      totals.tax_breakdown.map(({ tax_rate, gross }) => [tax_rate, gross]),
      [
        [8, 10_800],
        [10, 11_000],
      ],
    );
  });

  it('an empty document comes to nothing', () => {
    const { totals } = accepted({ qualified: false });
    assert.deepEqual([totals.total, totals.amount_due, totals.tax_breakdown], [0, 0, []]);
  });
});

describe('sums that do not agree are refused', () => {
  const table: [what: string, Given, faults: [string, string][]][] = [
    [
      'net, tax and gross',
      { rows: [{ net: 1_000, tax: 100, gross: 1_101 }] },
      [['/stated_breakdown/0', 'amount_mismatch']],
    ],
    ['neither net nor gross', { rows: [{ tax: 100 }] }, [['/stated_breakdown/0', 'required']]],
    [
      'the net of the lines',
      { lines: [line(1_000)], rows: [{ net: 1_001 }] },
      [['/stated_breakdown/0', 'amount_mismatch']],
    ],
    [
      'the gross of the lines',
      { lines: [line(1_100)], tax_display_mode: 'inclusive', rows: [{ gross: 1_101 }] },
      [['/stated_breakdown/0', 'amount_mismatch']],
    ],
    [
      'the dated rows of a category with its lines',
      { lines: [line(1_000)], rows: [{ net: 400, transaction_date: '2026-10-01' }, { net: 500 }] },
      [['/stated_breakdown/0', 'amount_mismatch']],
    ],
    [
      'a second row of a category and date',
      { rows: [{ net: 1 }, { net: 2, transaction_date: '2026-11-02' }] },
      [['/stated_breakdown/1', 'duplicate_value']],
    ],
    [
      'a rate that was not there yet',
      { rows: [{ tax_category: 'reduced', net: 1, transaction_date: '2019-09-30' }] },
      [['/stated_breakdown/0/tax_category', 'tax_category_not_in_force']],
    ],
    [
      'a line of a category that was not there yet',
      { day: '2019-09-30', lines: [line(1, 'reduced')] },
      [['/line_items/0/tax_category', 'tax_category_not_in_force']],
    ],
    [
      'a tax beyond a yen a line',
      { lines: [line(1_000), line(1_000)], rows: [{ net: 2_000, tax: 203 }] },
      [['/stated_breakdown/0', 'tax_mismatch']],
    ],
    [
      'a tax beyond 50 yen without lines',
      { rows: [{ net: 100_000, tax: 9_949 }] },
      [['/stated_breakdown/0', 'tax_mismatch']],
    ],
    [
      'a tax on what has none',
      { rows: [{ tax_category: 'exempt', net: 100, tax: 1 }] },
      [['/stated_breakdown/0', 'tax_mismatch']],
    ],
    [
      'taxes of two dates that only together are right',
      {
        rows: [
          { net: 1_000, tax: 151 },
          { net: 1_000, tax: 49, transaction_date: '2026-10-01' },
        ],
      },
      [['/stated_breakdown/0', 'tax_mismatch']],
    ],
    ['the total', { rows: [{ gross: 110 }], stated_total: 111 }, [['/stated_total', 'total_mismatch']]],
    ['a total of nothing', { stated_total: 111 }, [['/stated_total', 'total_mismatch']]],
    [
      'a withholding above the total',
      { rows: [{ gross: 110 }], stated_withholding: 111 },
      [['/stated_withholding', 'out_of_range']],
    ],
    [
      'thirteen digits',
      { rows: [{ gross: 999_999_999_999 }, { gross: 1, tax_category: 'reduced' }] },
      [['/stated_breakdown', 'out_of_range']],
    ],
  ];
  for (const [what, given, faults] of table) {
    it(what, () => assert.deepEqual(refused(given), faults));
  }

  it('all of them at once', () => {
    const rows = [{ net: 100, tax: 99 }];
    assert.deepEqual(refused({ rows, lines: [line(90)], stated_total: 1, stated_withholding: 500 }), [
      ['/stated_breakdown/0', 'amount_mismatch'],
      ['/stated_breakdown/0', 'tax_mismatch'],
      ['/stated_total', 'total_mismatch'],
      ['/stated_withholding', 'out_of_range'],
    ]);
  });
});

describe('up to its bound a tax is accepted', () => {
  const table: [what: string, Given, difference: number[]][] = [
    ['a yen a line', { lines: [line(1_000), line(1_000)], rows: [{ net: 2_000, tax: 202 }] }, [202, 200]],
    ['50 yen without lines', { rows: [{ net: 100_000, tax: 9_950 }] }, [9_950, 10_000]],
    [
      'by the gross where prices are with tax',
      { tax_display_mode: 'inclusive', rows: [{ gross: 1_100, tax: 99 }] },
      [99, 100],
    ],
    ['anything of who is not registered', { qualified: false, rows: [{ net: 1_000, tax: 0 }] }, [0, 100]],
  ];
  for (const [what, given, [stated, computed]] of table) {
    it(what, () => {
      const { tax_differences } = accepted(given);
      assert.deepEqual(tax_differences, [{ tax_category: 'standard', stated, computed }]);
    });
  }
});

describe('withholding', () => {
  const fee = line(300_000, 'standard', { withholding: true });
  const warned = ({ totals, warnings }: Amounts) => [
    totals.withholding_tax,
    totals.amount_due,
    warnings.map(({ path, code }) => `${path} ${code}`),
  ];

  it('is computed where nothing is printed', () => {
    assert.deepEqual(warned(accepted({ lines: [fee], withholding_mode: 'net' })), [30_630, 299_370, []]);
  });

  it('counts as it is printed, and warns where the lines give another', () => {
    const given = { lines: [fee], withholding_mode: 'net' } as const;
    assert.deepEqual(warned(accepted({ ...given, stated_withholding: 30_630 })), [30_630, 299_370, []]);
    assert.deepEqual(warned(accepted({ ...given, stated_withholding: 30_000 })), [
      30_000,
      300_000,
      ['/stated_withholding withholding_differs'],
    ]);
  });

  it('warns of nothing where no line or no mode says what it should be', () => {
    assert.deepEqual(
      warned(accepted({ rows: [{ gross: 330_000 }], withholding_mode: 'net', stated_withholding: 1 })),
      [1, 329_999, []],
    );
    assert.deepEqual(warned(accepted({ lines: [fee], stated_withholding: 1 })), [1, 329_999, []]);
  });
});
