import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decimalText, fraction, minus, plus, times } from '../../../shared/received/match/fraction.ts';
import {
  type BilledLine,
  type MatchInput,
  matchOf,
  type OrderLine,
} from '../../../shared/received/match/match.ts';

type Ordered = Partial<OrderLine> & { id: string };

const ordered = (line: Ordered): OrderLine => ({
  item_code: null,
  description: line.id,
  unit: null,
  quantity: '10',
  unit_price: '1200',
  tax_rate: 10,
  ...line,
});

const billed = (line: Partial<BilledLine>): BilledLine => ({
  purchase_order_line_id: null,
  item_code: null,
  description: '請求',
  unit: null,
  quantity: '10',
  unit_price: '1200',
  tax_rate: 10,
  amount: 12_000,
  ...line,
});

type Given = Partial<Omit<MatchInput, 'lines' | 'order' | 'accepted' | 'before'>> & {
  order?: Ordered[];
  order_mode?: MatchInput['tax_display_mode'];
  lines?: Partial<BilledLine>[];
  accepted?: Record<string, string>;
  before?: Record<string, string>;
};

const units = (by: Record<string, string> = {}) =>
  new Map(Object.entries(by).map(([id, quantity]) => [id, fraction(quantity)]));

function matched({
  order = [{ id: 'li_a' }],
  order_mode = 'exclusive',
  lines = [],
  accepted,
  before,
  ...given
}: Given) {
  const match = matchOf({
    match_mode: 'three_way',
    tax_display_mode: 'exclusive',
    unlined: [],
    tolerance: { quantity_percent: 0, price_percent: 0 },
    ...given,
    lines: lines.map(billed),
    order: { tax_display_mode: order_mode, lines: order.map(ordered) },
    accepted: units(accepted ?? { li_a: '10' }),
    before: units(before),
  });
  const codes = match.lines.map((line) => `${line.purchase_order_line_id}: ${line.codes.join(' ')}`.trim());
  return { ...match, codes, verdict: [match.status, match.difference] };
}

const A = { purchase_order_line_id: 'li_a' };

describe('an invoice and its order', () => {
  it('that the page has as example differ by 3,700', () => {
    const { codes, verdict, lines } = matched({
      order: [{ id: 'li_a' }, { id: 'li_b', quantity: '5', unit_price: '3000' }],
      accepted: { li_a: '8', li_b: '5' },
      lines: [
        A,
        { purchase_order_line_id: 'li_b', quantity: '5', unit_price: '3100', amount: 15_500 },
        { description: '送料', quantity: '1', unit_price: '800', amount: 800 },
      ],
    });
    assert.deepEqual(verdict, ['mismatch', '3700']);
    assert.deepEqual(codes, ['li_a: over_accepted', 'li_b: price', 'null: not_ordered']);
    assert.deepEqual(lines[0], {
      purchase_order_line_id: 'li_a',
      ordered: '10',
      accepted: '8',
      before: '0',
      now: '10',
      codes: ['over_accepted'],
    });
  });

  const table: [what: string, Given, verdict: [string, string], codes: string[]][] = [
    ['agree', { lines: [A] }, ['matched', '0'], ['li_a:']],
    [
      'agree in part',
      { lines: [{ ...A, quantity: '2.5' }], before: { li_a: '7.5' } },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'differ where others charged it before',
      { lines: [{ ...A, quantity: '3' }], before: { li_a: '8' } },
      ['mismatch', '1200'],
      ['li_a: over_ordered over_accepted'],
    ],
    [
      'of services agree without acceptance',
      { lines: [A], accepted: {}, match_mode: 'two_way' },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'of goods that never came differ by all of it',
      { lines: [A], accepted: {} },
      ['mismatch', '12000'],
      ['li_a: over_accepted'],
    ],
    [
      'may be off by the tolerance, the bound included',
      {
        lines: [{ ...A, quantity: '11', unit_price: '1260' }],
        tolerance: { quantity_percent: 10, price_percent: 5 },
      },
      ['within_tolerance', '1920'],
      ['li_a:'],
    ],
    [
      'not by more',
      {
        lines: [{ ...A, quantity: '11.001', unit_price: '1260.001' }],
        tolerance: { quantity_percent: 10, price_percent: 5 },
      },
      ['mismatch', '1921.332002'],
      ['li_a: over_ordered over_accepted price'],
    ],
    [
      'differ by a lower price too',
      { lines: [{ ...A, unit_price: '1199' }] },
      ['mismatch', '-10'],
      ['li_a: price'],
    ],
    [
      'agree where one line is written as two',
      {
        lines: [
          { ...A, quantity: '4' },
          { ...A, quantity: '6' },
        ],
      },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'count a discount that was not ordered in the difference alone',
      { lines: [A, { description: '値引', quantity: '1', unit_price: '-500', amount: -500 }] },
      ['within_tolerance', '-500'],
      ['li_a:', 'null:'],
    ],
    [
      'do not speak of what is not charged',
      { lines: [], before: { li_a: '99' }, accepted: {} },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'of what is given back are held to the other side',
      {
        order: [{ id: 'li_a', quantity: '-10' }],
        accepted: { li_a: '-10' },
        lines: [{ ...A, quantity: '-10' }],
      },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'of unlike modes compare prices without tax',
      { lines: [{ ...A, unit_price: '1320' }], tax_display_mode: 'inclusive' },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'of unlike modes differ exactly',
      { lines: [{ ...A, unit_price: '1320.001' }], tax_display_mode: 'inclusive' },
      ['mismatch', '0.009091'],
      ['li_a: price'],
    ],
    [
      'of unlike modes the other way round',
      {
        lines: [{ ...A, unit_price: '1000' }],
        order: [{ id: 'li_a', unit_price: '1100' }],
        order_mode: 'inclusive',
      },
      ['matched', '0'],
      ['li_a:'],
    ],
    [
      'differ by what is printed without a line',
      {
        lines: [A],
        unlined: [{ net: 100, gross: 108 }],
      },
      ['mismatch', '100'],
      ['li_a:', 'null: not_ordered'],
    ],
  ];
  for (const [what, given, verdict, codes] of table) {
    it(what, () => {
      const match = matched(given);
      assert.deepEqual([match.verdict, match.codes], [verdict, codes]);
    });
  }
});

describe('lines find the lines that they answer', () => {
  const order = [
    { id: 'li_a', item_code: 'CB-01', description: 'コーヒー豆', unit: '袋' },
    { id: 'li_b', item_code: null, description: 'Filter', unit: '箱' },
  ];
  const found = (...lines: Partial<BilledLine>[]) =>
    matched({ order, lines, match_mode: 'two_way' }).lines.map((line) => line.now);

  it('by code, then by description and unit, whatever their case, width and kana', () => {
    assert.deepEqual(found({ item_code: 'ｃｂ-01', quantity: '1' }), ['1', '0']);
    assert.deepEqual(found({ description: 'こーひー豆', unit: '袋', quantity: '2' }), ['2', '0']);
    assert.deepEqual(found({ description: 'ＦＩＬＴＥＲ', unit: '箱', quantity: '3' }), ['0', '3']);
    assert.deepEqual(found({ description: 'Filter', unit: '袋', quantity: '4' }), ['0', '0', '4']);
  });

  it('the certain ones first, each line of the order once', () => {
    assert.deepEqual(
      found(
        { description: 'コーヒー豆', unit: '袋', quantity: '1' },
        { item_code: 'CB-01', quantity: '2' },
        { purchase_order_line_id: 'li_b', quantity: '3' },
        { description: 'Filter', unit: '箱', quantity: '4' },
      ),
      ['2', '3', '1', '4'],
    );
  });
});

describe('exact numbers', () => {
  it('are decimals in their shortest form', () => {
    const table: [ReturnType<typeof fraction>, string][] = [
      [fraction('10.500'), '10.5'],
      [fraction('-0.001'), '-0.001'],
      [plus(fraction('0.1'), fraction('0.2')), '0.3'],
      [minus(fraction(1), fraction('1.000')), '0'],
      [times(fraction('99999999.999'), fraction('9999999999999.999')), '999999999989999900000.000001'],
      [{ numerator: 2n, denominator: 3n }, '0.666667'],
      [{ numerator: -1n, denominator: 3_000_000n }, '0'],
      [{ numerator: 1n, denominator: 2n ** 9n }, '0.001953125'],
    ];
    for (const [value, text] of table) assert.equal(decimalText(value), text);
    assert.throws(() => fraction('1e3'), /not a plain decimal/);
  });
});
