import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { creditWithin } from '../../../shared/invoicing/credit-notes/bounds.ts';
import { type Composed, composeCredit } from '../../../shared/invoicing/credit-notes/compose.ts';
import { openLines, type PlacedLine } from '../../../shared/invoicing/credit-notes/open-lines.ts';
import type { CreditLineInput } from '../../../shared/invoicing/credit-notes/record.ts';
import { countedLines } from '../../../shared/invoicing/documents/totals.ts';
import { taxDisplayModes } from '../../../shared/invoicing/tax/breakdown.ts';
import { lineAmount } from '../../../shared/invoicing/tax/line-amount.ts';
import { taxCategories, taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import { type DocumentRules, type Totals, totalsOf } from '../../../shared/invoicing/tax/totals.ts';
import { withholdingModes } from '../../../shared/invoicing/tax/withholding.ts';

const DAY = '2026-04-01';
const RULES: DocumentRules = { display_mode: 'exclusive', rounding: 'floor', withholding_mode: 'none' };

const EMPTY = { item_code: null, unit: null, source_line_id: null, source_document_id: null };

function item(fields: Partial<PlacedLine> & { id: string }): PlacedLine {
  const { quantity = '1', unit_price = '0', tax_category = 'standard' } = fields;
  return {
    ...{ ...EMPTY, type: 'item', description: '品', quantity, unit_price, tax_category, withholding: false },
    ...{ tax_rate: taxRateOn(tax_category!, DAY)!, amount: lineAmount(quantity!, unit_price!) },
    document_id: 'inv',
    ...fields,
  };
}

/** The notes of an invoice so far, and how the next one comes out. */
function ledger(invoice: readonly PlacedLine[], rules: DocumentRules) {
  const credited: PlacedLine[] = [];
  const given: Totals[] = [];
  return {
    credited,
    given,
    credit(asked: CreditLineInput[] | null): Composed & { refusal: string | null } {
      const composed = composeCredit(invoice, credited, asked);
      if (composed.faults.length > 0 || composed.lines.length === 0) return { ...composed, refusal: null };
      const within = creditWithin(
        countedLines(invoice),
        countedLines(credited),
        countedLines(composed.lines),
        rules,
      );
      if ('refusal' in within) return { ...composed, ...within };
      const note = `cn${given.length}`;
      credited.push(
        ...composed.lines.map((line, place) => ({ ...line, id: `${note}-${place}`, document_id: note })),
      );
      given.push(within.totals);
      return { ...composed, refusal: null };
    },
  };
}

const sumOf = (
  given: readonly Totals[],
  field: 'subtotal' | 'tax' | 'total' | 'withholding_tax' | 'amount_due',
) => given.reduce((sum, totals) => sum + totals[field], 0n);

const FIELDS = ['subtotal', 'tax', 'total', 'withholding_tax', 'amount_due'] as const;

const thousandth = (value: number) => {
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  return `${sign}${Math.trunc(size / 1000)}.${String(size % 1000).padStart(3, '0')}`;
};

const rules: fc.Arbitrary<DocumentRules> = fc.record({
  display_mode: fc.constantFrom(...taxDisplayModes),
  rounding: fc.constantFrom(...taxRoundings),
  withholding_mode: fc.constantFrom(...withholdingModes),
});

const drawnItem = (quantities: fc.Arbitrary<number>, prices: fc.Arbitrary<number>) =>
  fc.record({
    quantity: quantities.map(thousandth),
    unit_price: prices.map(thousandth),
    tax_category: fc.constantFrom(...taxCategories),
    withholding: fc.boolean(),
  });

const goods = drawnItem(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9_999_999 }));
const anything = drawnItem(
  fc.integer({ min: -99_999, max: 99_999 }).filter((quantity) => quantity !== 0),
  fc.integer({ min: -9_999_999, max: 9_999_999 }),
);

const invoiceOf = (one: typeof goods) =>
  fc
    .array(one, { minLength: 1, maxLength: 8 })
    .map((drawn) => drawn.map((fields, place) => item({ ...fields, id: `li${place}` })));

/** What a note asks for: parts of lines by their place, in percent of what is open; and reductions. */
const wishes = fc.array(
  fc.array(
    fc.oneof(
      fc.record({ place: fc.nat(7), percent: fc.integer({ min: 1, max: 100 }) }),
      fc.record({
        unit_price: fc.integer({ min: 1, max: 5_000 }),
        tax_category: fc.constantFrom(...taxCategories),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { maxLength: 8 },
);

type Wish = { place: number; percent: number } | { unit_price: number; tax_category: 'standard' };

function askedFor(invoice: readonly PlacedLine[], credited: readonly PlacedLine[], wish: readonly Wish[]) {
  const open = openLines(invoice, credited);
  const named = new Set<string>();
  return wish.flatMap((one): CreditLineInput[] => {
    if ('unit_price' in one) {
      return [{ description: '値引き', unit_price: String(one.unit_price), tax_category: one.tax_category }];
    }
    const chosen = open[one.place % Math.max(open.length, 1)];
    if (!chosen || named.has(chosen.line.id)) return [];
    named.add(chosen.line.id);
    const size = Math.round(Number(chosen.open) * 1000);
    const part = Math.sign(size) * Math.max(1, Math.trunc((Math.abs(size) * one.percent) / 100));
    return [{ source_line_id: chosen.line.id, quantity: thousandth(part) }];
  });
}

describe('any series of credit notes', () => {
  for (const [what, lines] of [
    ['of goods', invoiceOf(goods)],
    ['of goods, returns and discounts', invoiceOf(anything)],
  ] as const) {
    it(`${what}, with all that is left as the last one, ends at the invoice to the yen`, () => {
      let refused = 0;
      let taken = 0;
      fc.assert(
        fc.property(lines, rules, wishes, (invoice, how, notes) => {
          const whole = totalsOf(countedLines(invoice), how);
          const book = ledger(invoice, how);
          for (const wish of notes) {
            const asked = askedFor(invoice, book.credited, wish as Wish[]);
            if (asked.length === 0) continue;
            const { faults, refusal } = book.credit(asked);
            assert.deepEqual(faults, []);
            if (refusal) refused += 1;
            else taken += 1;
            const so_far = sumOf(book.given, 'total');
            assert.ok(
              whole.total >= 0n
                ? so_far >= 0n && so_far <= whole.total
                : so_far <= 0n && so_far >= whole.total,
            );
          }
          const last = book.credit(null);
          assert.deepEqual(last.faults, []);
          assert.equal(last.refusal, null);
          for (const field of FIELDS) assert.equal(sumOf(book.given, field), whole[field], field);
          assert.deepEqual(book.credit(null).lines, []);
        }),
        { numRuns: 300 },
      );
      assert.ok(taken > 50 && refused > 5, `${taken} taken, ${refused} refused`);
    });
  }

  it('an invoice and its negative are credited by the same amounts, with the opposite sign', () => {
    const mirrored = (line: PlacedLine): PlacedLine =>
      item({ ...line, unit_price: lineNegative(line.unit_price!), amount: -line.amount! });
    fc.assert(
      fc.property(invoiceOf(goods), rules, wishes, (invoice, how, notes) => {
        const plain = { ...how, withholding_mode: 'none' } as const;
        const [one, other] = [ledger(invoice, plain), ledger(invoice.map(mirrored), plain)];
        for (const wish of notes) {
          const parts = (wish as Wish[]).filter((each) => 'place' in each);
          const asked = askedFor(invoice, one.credited, parts);
          if (asked.length === 0) continue;
          assert.equal(one.credit(asked).refusal, null);
          assert.equal(other.credit(asked).refusal, null);
        }
        for (const field of FIELDS) {
          assert.deepEqual(
            one.given.map((totals) => totals[field]),
            other.given.map((totals) => -totals[field]),
          );
        }
      }),
    );
  });
});

function lineNegative(price: string): string {
  return price.startsWith('-') ? price.slice(1) : `-${price}`;
}

describe('over_credit', () => {
  const invoice = [
    item({ id: 'a', quantity: '3', unit_price: '100' }),
    item({ id: 'b', unit_price: '50', tax_category: 'reduced' }),
  ];
  const faultsOf = ({ faults }: Composed) => faults.map(({ path, code }) => `${path} ${code}`);

  it('is more of a line than is open, in one note or in two', () => {
    const book = ledger(invoice, RULES);
    const tooMuch = book.credit([{ source_line_id: 'a', quantity: '3.001' }]);
    assert.deepEqual(faultsOf(tooMuch), ['/line_items/0/quantity over_credit']);
    const twice = book.credit([
      { source_line_id: 'a', quantity: '2' },
      { source_line_id: 'a', quantity: '2' },
    ]);
    assert.deepEqual(faultsOf(twice), ['/line_items/1/quantity over_credit']);
    assert.deepEqual(faultsOf(book.credit([{ source_line_id: 'a', quantity: '2' }])), []);
    assert.deepEqual(faultsOf(book.credit([{ source_line_id: 'a', quantity: '2' }])), [
      '/line_items/0/quantity over_credit',
    ]);
    assert.deepEqual(faultsOf(book.credit([{ source_line_id: 'a', quantity: '1' }])), []);
    assert.deepEqual(faultsOf(book.credit([{ source_line_id: 'a' }])), [
      '/line_items/0/source_line_id over_credit',
    ]);
  });

  it('is a quantity of 0 or against the line', () => {
    for (const quantity of ['0', '-1']) {
      const composed = ledger(invoice, RULES).credit([{ source_line_id: 'a', quantity }]);
      assert.deepEqual(faultsOf(composed), ['/line_items/0/quantity over_credit']);
    }
  });

  it('is a line of another document: unknown_reference', () => {
    const composed = ledger(invoice, RULES).credit([{ source_line_id: 'z' }]);
    assert.deepEqual(faultsOf(composed), ['/line_items/0/source_line_id unknown_reference']);
  });

  it('is a reduction beyond its category, though the total has room, and one that reduces nothing', () => {
    const book = ledger(invoice, RULES);
    const reduction = (unit_price: string, tax_category: 'standard' | 'reduced' | 'exempt') =>
      book.credit([{ description: '値引き', unit_price, tax_category }]).refusal;
    assert.match(reduction('51', 'reduced') ?? '', /51 yen of reduced .* 50 yen/);
    assert.match(reduction('1', 'exempt') ?? '', /1 yen of exempt .* 0 yen/);
    assert.match(reduction('-1', 'standard') ?? '', /-1 yen of standard/);
    assert.equal(reduction('50', 'reduced'), null);
    assert.match(reduction('1', 'reduced') ?? '', /51 yen of reduced/);
  });

  it('is what was sold with a discount, without the discount', () => {
    const discounted = [...invoice, item({ id: 'c', unit_price: '-30', tax_category: 'exempt' })];
    const all = [{ source_line_id: 'a' }, { source_line_id: 'b' }];
    assert.match(ledger(discounted, RULES).credit(all).refusal ?? '', /in total/);
    assert.equal(ledger(discounted, RULES).credit([...all, { source_line_id: 'c' }]).refusal, null);
  });

  it('is a note that would raise what is owed: the discount alone after the rest', () => {
    const discounted = [...invoice, item({ id: 'c', unit_price: '-30' })];
    const book = ledger(discounted, RULES);
    assert.equal(book.credit([{ source_line_id: 'a', quantity: '2' }]).refusal, null);
    assert.match(book.credit([{ source_line_id: 'c' }]).refusal ?? '', /no reduction/);
  });
});

describe('the lines of a note', () => {
  const text = { ...item({ id: 't' }), type: 'text', quantity: null, unit_price: null } as const;
  const invoice: PlacedLine[] = [
    item({ id: 'a', quantity: '3', unit_price: '100.5', tax_category: 'reduced', withholding: true }),
    { ...text, tax_category: null, tax_rate: null, amount: null, description: '以下余白' },
  ];

  it('are those of the invoice unless said, texts with them, once', () => {
    const book = ledger(invoice, RULES);
    const { lines } = book.credit(null);
    assert.deepEqual(
      lines.map(({ type, quantity, amount, source_line_id, source_document_id }) => [
        ...[type, quantity, amount],
        ...[source_line_id, source_document_id],
      ]),
      [
        ['item', '3', 301n, 'a', 'inv'],
        ['text', null, null, 't', 'inv'],
      ],
    );
    assert.deepEqual(book.credit(null).lines, []);
  });

  it('have the words sent, and what is left of the quantity unless said', () => {
    const book = ledger(invoice, RULES);
    book.credit([{ source_line_id: 'a', quantity: '1' }]);
    const { lines } = book.credit([{ source_line_id: 'a', description: '返品' }]);
    assert.deepEqual([lines[0]!.description, lines[0]!.quantity, lines[0]!.amount], ['返品', '2', 201n]);
  });

  it("of their own have the invoice's only category, its rate and its withholding, unless said", () => {
    const { lines } = ledger(invoice, RULES).credit([{ description: '値引き', unit_price: '10' }]);
    const [{ tax_category, tax_rate, withholding, amount, quantity }] = lines as [(typeof lines)[0]];
    assert.deepEqual([tax_category, tax_rate, withholding, amount, quantity], ['reduced', 8, true, 10n, '1']);
  });

  it('of all that is left take back what a reduction gave without naming a line', () => {
    const book = ledger(invoice, RULES);
    book.credit([{ description: '値引き', unit_price: '10', quantity: '2' }]);
    const { lines } = book.credit(null);
    assert.deepEqual(
      lines.map(({ description, quantity, amount, source_document_id }) => [
        ...[description, quantity],
        ...[amount, source_document_id],
      ]),
      [
        ['品', '3', 301n, 'inv'],
        ['以下余白', null, null, 'inv'],
        ['値引き', '-2', -20n, 'cn0'],
      ],
    );
    assert.equal(sumOf(book.given, 'subtotal'), 301n);
  });
});
