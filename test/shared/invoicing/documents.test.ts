import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../../shared/invoicing/documents/change.ts';
import { inputFrom } from '../../../shared/invoicing/documents/copy.ts';
import { draftOf, type Making } from '../../../shared/invoicing/documents/draft.ts';
import type { LineInput } from '../../../shared/invoicing/documents/line.ts';
import { inputSchemas } from '../../../shared/invoicing/documents/shape.ts';
import { defaultNumbering, defaultSettings } from '../../../shared/invoicing/settings/defaults.ts';
import { taxCategories } from '../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../shared/invoicing/tax/rounding.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';

const making = {
  settings: {
    ...defaultSettings,
    issuer_name: '山田商事',
    numbering: defaultNumbering,
    memo_templates: { quotation: null, invoice: null, delivery_note: null, purchase_order: null },
  },
  company: { honorific: '御中', payment_terms: null, customer_since: null },
  actor: systemActor,
  now: new Date('2026-04-01T00:00:00Z'),
} as unknown as Making;

const decimal = (most: number, digits: number) =>
  fc
    .tuple(fc.integer({ min: -most, max: most }), fc.integer({ min: 0, max: 10 ** digits - 1 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(digits, '0')}`);

const line: fc.Arbitrary<LineInput> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'text' as const, description: 't' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      description: fc.constant('x'),
      quantity: decimal(9_999, 3),
      unit_price: decimal(999_999, 2),
      tax_category: fc.constantFrom(...taxCategories),
      withholding: fc.boolean(),
    }),
  },
);

const body = fc.record({
  company_id: fc.constant('comp_01kaj2n5w5fq8b4m0g3v7x9rtc'),
  issue_date: fc.constantFrom('2019-10-01', '2026-04-01', '2028-02-29'),
  tax_display_mode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  tax_rounding: fc.constantFrom(...taxRoundings),
  withholding_mode: fc.constantFrom('none' as const, 'net' as const, 'gross' as const),
  line_items: fc.array(line, { minLength: 1, maxLength: 12 }),
});

/** As a body arrives: decimals in their shortest form. */
const parsed = (sent: unknown) => inputSchemas.invoice.parse(sent);

const made = (sent: unknown) => draftOf('invoice', parsed(sent), making);

describe('a document', () => {
  test('adds up: the tax and the rest, what is withheld and what is due, each category and the whole', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const { subtotal, tax, total, withholding_tax, amount_due, balance, tax_breakdown } = made(sent);
        assert.equal(subtotal + tax, total);
        assert.equal(total - withholding_tax, amount_due);
        assert.equal(balance, amount_due);
        assert.equal(
          tax_breakdown.reduce((sum, { gross }) => sum + gross, 0n),
          total,
        );
        for (const { net, tax: own, gross } of tax_breakdown) assert.equal(net + own, gross);
      }),
    );
  });

  test('comes to the same whatever the order of its lines', () => {
    fc.assert(
      fc.property(body, ({ line_items, ...sent }) => {
        const there = made({ ...sent, line_items });
        const back = made({ ...sent, line_items: line_items.toReversed() });
        assert.deepEqual([back.total, back.amount_due], [there.total, there.amount_due]);
        assert.deepEqual(back.tax_breakdown, there.tax_breakdown);
      }),
    );
  });

  test('is the same whether it was made so or changed into it', () => {
    fc.assert(
      fc.property(body, body, (first, second) => {
        const { company_id, issue_date, ...patch } = parsed(second);
        const transaction_date = issue_date;
        const after = changed(made(first), { ...patch, issue_date, transaction_date }, making.now);
        const direct = made(second);
        const bare = ({ id, ...rest }: (typeof after.lines)[number]) => rest;
        assert.deepEqual(after.lines.map(bare), direct.lines.map(bare));
        const sums = ['subtotal', 'tax', 'total', 'withholding_tax', 'amount_due', 'balance'] as const;
        for (const sum of sums) assert.equal(after[sum], direct[sum], sum);
        assert.deepEqual(after.tax_breakdown, direct.tax_breakdown);
      }),
    );
  });

  test('made again from its own fields is the same, and a change to what it is changes nothing', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const original = made(sent);
        const copy = draftOf('invoice', inputFrom(original), making);
        const without = ({ id, lines, ...rest }: typeof original) => ({
          ...rest,
          lines: lines.map(({ id: _, ...line }) => line),
        });
        assert.deepEqual(without(copy), without(original));
        const { line_items, ...fields } = inputFrom(original);
        const same = line_items.map((one, index) => ({ id: original.lines[index]!.id, ...one }));
        assert.deepEqual(changed(original, { ...fields, line_items: same }, making.now), original);
      }),
    );
  });
});
