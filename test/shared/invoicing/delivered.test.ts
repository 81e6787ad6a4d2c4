import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import {
  hasOpenQuantity,
  linesToInvoice,
  openQuantity,
  requireSameModes,
  transactionOf,
} from '../../../shared/invoicing/convert/delivered.ts';
import type { DocumentLine } from '../../../shared/invoicing/documents/line.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

type Note = Parameters<typeof transactionOf>[0][number];

function line(id: string, quantity: string | null): DocumentLine {
  return {
    id,
    type: quantity === null ? 'text' : 'item',
    description: '豆',
    item_code: null,
    quantity,
    unit: null,
    unit_price: '100',
    tax_category: 'standard',
    tax_rate: 10,
    withholding: false,
    amount: 100n,
    source_line_id: null,
    source_document_id: null,
  };
}

function note(id: string, fields: Partial<Note> = {}): Note {
  return {
    id,
    delivery_date: null,
    transaction_date: '2026-04-01',
    transaction_from: null,
    transaction_to: null,
    tax_display_mode: 'exclusive',
    tax_rounding: 'floor',
    withholding_mode: 'none',
    lines: [line('li_1', '10')],
    ...fields,
  };
}

describe('what is open of a line', () => {
  const table: [string, string | undefined, string][] = [
    ['10', undefined, '10'],
    ['10', '4', '6'],
    ['10', '10', '0'],
    ['10', '12', '0'],
    ['-2', undefined, '-2'],
    ['-2', '-0.5', '-1.5'],
    ['-2', '-3', '0'],
    ['0', undefined, '0'],
    ['0.3', '0.1', '0.2'],
  ];
  for (const [quantity, taken, open] of table) {
    it(`of ${quantity} is ${open} once ${taken ?? 'nothing'} was taken`, () => {
      const of = new Map(taken === undefined ? [] : [['li_1', taken]]);
      assert.equal(openQuantity(line('li_1', quantity), of).toFixed(), open);
      assert.equal(hasOpenQuantity({ lines: [line('li_1', quantity)] }, of), open !== '0');
    });
  }

  it('of a text is nothing', () => assert.equal(openQuantity(line('li_1', null), new Map()).toFixed(), '0'));
});

describe('parts of notes', () => {
  it('come to the whole, never to more, however they are cut', () => {
    const thousandths = fc.integer({ min: -20_000, max: 20_000 }).map((n) => new Big(n).div(1000).toFixed());
    fc.assert(
      fc.property(
        fc.array(thousandths, { minLength: 1, maxLength: 6 }),
        fc.array(thousandths),
        (whole, cuts) => {
          const of = note('dn_1', { lines: whole.map((quantity, n) => line(`li_${n}`, quantity)) });
          const taken = new Map<string, string>();
          const take = (asked?: { source_line_id: string; quantity: string }[]) => {
            for (const { line: made } of linesToInvoice([of], taken, asked)) {
              taken.set(made.id, new Big(taken.get(made.id) ?? 0).plus(made.quantity!).toFixed());
            }
          };
          cuts.forEach((quantity, n) => {
            try {
              take([{ source_line_id: `li_${n % whole.length}`, quantity }]);
            } catch (error) {
              assert.ok(error instanceof Failure);
            }
          });
          take();
          const ends = whole.map((_, n) => new Big(taken.get(`li_${n}`) ?? 0).toFixed());
          assert.deepEqual(
            ends,
            whole.map((quantity) => new Big(quantity).toFixed()),
          );
        },
      ),
    );
  });
});

describe('the day of several deliveries', () => {
  const table: [string, Partial<Note>[], ReturnType<typeof transactionOf>][] = [
    [
      'of one day',
      [{ delivery_date: '2026-04-03' }, { delivery_date: '2026-04-03' }],
      { transaction_date: '2026-04-03' },
    ],
    [
      'of several days, in whatever order',
      [{ delivery_date: '2026-04-20' }, { delivery_date: '2026-04-03' }, { delivery_date: '2026-04-10' }],
      { transaction_period: { from: '2026-04-03', to: '2026-04-20' } },
    ],
    ['without a delivery date', [{}], { transaction_date: '2026-04-01' }],
    [
      'of a period and a day',
      [
        { transaction_date: null, transaction_from: '2026-03-01', transaction_to: '2026-03-31' },
        { delivery_date: '2026-04-02' },
      ],
      { transaction_period: { from: '2026-03-01', to: '2026-04-02' } },
    ],
  ];
  for (const [words, notes, expected] of table) {
    it(words, () => assert.deepEqual(transactionOf(notes.map((fields) => note('dn_1', fields))), expected));
  }
});

it('notes that find their tax in other ways do not go together', () => {
  const notes = [note('dn_1'), note('dn_2', { tax_rounding: 'ceil', withholding_mode: 'net' })];
  assert.throws(
    () => requireSameModes(notes),
    (error: Failure) => error.code === 'modes_differ' && error.details.errors?.length === 2,
  );
  requireSameModes([note('dn_1'), note('dn_2')]);
});
