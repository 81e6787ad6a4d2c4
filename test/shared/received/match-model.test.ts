import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimalText, fraction } from '../../../shared/received/match/fraction.ts';
import { type MatchInput, matchOf } from '../../../shared/received/match/match.ts';

const PYTHON = '/usr/bin/python3';

/** The match of the specification in fractions, with every line named by its ID. */
const PROGRAM = `
import json, sys
from fractions import Fraction as F

def price(line, mode, alike):
    value = F(line['unit_price'])
    return value if alike or mode == 'exclusive' else value * 100 / (100 + line['tax_rate'])

answers = []
for case in json.load(sys.stdin):
    alike = case['mode'] == case['order_mode']
    q = 1 + F(case['quantity_percent'], 100)
    p = F(case['price_percent'], 100)
    difference, shown = F(0), []
    for line in case['order']:
        own = [b for b in case['lines'] if b['purchase_order_line_id'] == line['id']]
        ordered, accepted, before = F(line['quantity']), F(line['accepted']), F(line['before'])
        now = sum((F(b['quantity']) for b in own), F(0))
        codes = []
        if own:
            asked = price(line, case['order_mode'], alike)
            charged = [price(b, case['mode'], alike) for b in own]
            if before + now > ordered * q: codes.append('over_ordered')
            over = before + now - ordered
            if case['match_mode'] == 'three_way':
                if before + now > accepted * q: codes.append('over_accepted')
                over = max(over, before + now - accepted)
            if any(abs(c - asked) > abs(asked) * p for c in charged): codes.append('price')
            difference += max(over, 0) * max(charged)
            difference += sum((c - asked) * F(b['quantity']) for c, b in zip(charged, own))
        shown.append([line['id'], str(now), codes])
    for b in case['lines']:
        if b['purchase_order_line_id'] is None:
            amount = F(b['amount'])
            if not (alike or case['mode'] == 'exclusive'): amount = amount * 100 / (100 + b['tax_rate'])
            difference += amount
            shown.append([None, str(F(b['quantity'])), [] if b['amount'] < 0 else ['not_ordered']])
    bad = any(codes for _, _, codes in shown)
    status = 'mismatch' if bad else 'matched' if difference == 0 else 'within_tolerance'
    answers.append({'status': status, 'lines': shown, 'difference': str(difference)})
json.dump(answers, sys.stdout)
`;

type Case = {
  mode: 'exclusive' | 'inclusive';
  order_mode: 'exclusive' | 'inclusive';
  match_mode: 'three_way' | 'two_way';
  quantity_percent: number;
  price_percent: number;
  order: {
    id: string;
    quantity: string;
    unit_price: string;
    tax_rate: number;
    accepted: string;
    before: string;
  }[];
  lines: {
    purchase_order_line_id: string | null;
    quantity: string;
    unit_price: string;
    tax_rate: number;
    amount: number;
  }[];
};

type Judged = { status: string; lines: [string | null, string, string[]][]; difference: string };

const thousandths = (most: number) =>
  fc
    .integer({ min: 0, max: most * 1000 })
    .map((value) => decimalText({ numerator: BigInt(value), denominator: 1000n }));
const quantity = fc.oneof(fc.integer({ min: 0, max: 12 }).map(String), thousandths(12));
const price = fc.oneof(fc.constantFrom('100', '110', '104', '1200'), thousandths(2_000));
const rate = fc.constantFrom(10, 8, 0);
const mode = fc.constantFrom('exclusive' as const, 'inclusive' as const);

const cases: fc.Arbitrary<Case> = fc.record({
  mode,
  order_mode: mode,
  match_mode: fc.constantFrom('three_way', 'two_way'),
  quantity_percent: fc.constantFrom(0, 5, 100),
  price_percent: fc.constantFrom(0, 5, 100),
  order: fc
    .array(fc.record({ quantity, unit_price: price, tax_rate: rate, accepted: quantity, before: quantity }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((lines) => lines.map((line, index) => ({ id: `li_${index}`, ...line }))),
  lines: fc.array(
    fc.record({
      purchase_order_line_id: fc.constantFrom('li_0', 'li_1', 'li_2', null),
      quantity,
      unit_price: price,
      tax_rate: rate,
      amount: fc.integer({ min: -5_000, max: 50_000 }),
    }),
    { maxLength: 5 },
  ),
});

describe('fractions say the same', () => {
  it('of two thousand invoices and their orders', () => {
    const asked = fc.sample(cases, { numRuns: 2_000, seed: 20_261_126 }).map((each) => {
      const ids = new Set(each.order.map(({ id }) => id));
      return {
        ...each,
        lines: each.lines.map((line) => ({
          ...line,
          purchase_order_line_id: ids.has(line.purchase_order_line_id ?? '')
            ? line.purchase_order_line_id
            : null,
        })),
      };
    });
    const input = JSON.stringify(asked);
    const judged: Judged[] = JSON.parse(
      execFileSync(PYTHON, ['-c', PROGRAM], { input, encoding: 'utf8', maxBuffer: 2 ** 26 }),
    );
    const seen = new Set<string>();
    for (const [index, each] of asked.entries()) {
      const match = matchOf(inputOf(each));
      const { status, lines, difference } = judged[index]!;
      assert.deepEqual(
        {
          status: match.status,
          lines: match.lines.map((line) => [line.purchase_order_line_id, line.now, line.codes]),
          difference: match.difference,
        },
        {
          status,
          lines: lines.map(([id, now, codes]) => [id, decimalText(ofPython(now)), codes]),
          difference: decimalText(ofPython(difference)),
        },
        JSON.stringify(each),
      );
      seen.add(status);
    }
    assert.deepEqual([...seen].sort(), ['matched', 'mismatch', 'within_tolerance']);
  });
});

function ofPython(text: string) {
  const [numerator, denominator = '1'] = text.split('/');
  return { numerator: BigInt(numerator!), denominator: BigInt(denominator) };
}

function inputOf({
  order,
  lines,
  mode: tax_display_mode,
  order_mode,
  quantity_percent,
  price_percent,
  match_mode,
}: Case): MatchInput {
  const nothing = { item_code: null, unit: null };
  const units = (name: 'accepted' | 'before') =>
    new Map(order.map((line) => [line.id, fraction(line[name])]));
  return {
    match_mode,
    tax_display_mode,
    // No description is like one of the order, so IDs alone pair.
    lines: lines.map((line, index) => ({ ...line, ...nothing, description: `billed ${index}` })),
    unlined: [],
    order: {
      tax_display_mode: order_mode,
      lines: order.map((line) => ({ ...line, ...nothing, description: line.id })),
    },
    accepted: units('accepted'),
    before: units('before'),
    tolerance: { quantity_percent, price_percent },
  };
}
