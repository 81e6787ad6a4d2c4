import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Composed } from '../../../shared/invoicing/credit-notes/compose.ts';
import type { PlacedLine } from '../../../shared/invoicing/credit-notes/open-lines.ts';
import { item, ledger, RULES, sumOf } from '../../support/credit-ledger.ts';

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
        type,
        quantity,
        amount,
        source_line_id,
        source_document_id,
      ]),
      [
        ['item', '3', 301n, 'a', 'inv'],
        ['text', null, null, 't', 'inv'],
      ],
    );
    assert.deepEqual(book.credit(null).lines, []);
  });

  it('that are texts have no quantity', () => {
    const { faults } = ledger(invoice, RULES).credit([{ source_line_id: 't', quantity: '2' }]);
    assert.deepEqual(
      faults.map(({ path, code }) => `${path} ${code}`),
      ['/line_items/0/quantity not_of_text'],
    );
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
        description,
        quantity,
        amount,
        source_document_id,
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
