import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentEntry, type SourcePayment } from '../../../../shared/accounting/sources/payments.ts';
import { exclusive, inclusive, linesOf, shown } from './books.ts';

const payment: SourcePayment = {
  company_id: 'comp_1',
  paid_on: '2026-05-31',
  amount: 110_000,
  method: 'bank_transfer',
  fee_amount: 0,
  fee_borne_by: null,
  withheld_amount: 0,
};

describe('the entry of a payment', () => {
  const table: { name: string; of: Partial<SourcePayment>; exclusive: string[]; inclusive?: string[] }[] = [
    { name: 'by transfer', of: {}, exclusive: ['1140 O 110000 / 0', '1220 O 0 / 110000'] },
    { name: 'in cash', of: { method: 'cash' }, exclusive: ['1110 O 110000 / 0', '1220 O 0 / 110000'] },
    { name: 'by card', of: { method: 'card' }, exclusive: ['1530 O 110000 / 0', '1220 O 0 / 110000'] },
    { name: 'otherwise', of: { method: 'other' }, exclusive: ['1140 O 110000 / 0', '1220 O 0 / 110000'] },
    {
      name: 'set off against what we owe',
      of: { method: 'offset' },
      exclusive: ['2120 O 110000 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'less the fee of a transfer that we bear, with its tax',
      of: { amount: 1_320_000, fee_amount: 660, fee_borne_by: 'us' },
      exclusive: ['1140 O 1319340 / 0', '6310 P10 600 / 0', '1580 P10 60 / 0', '1220 O 0 / 1320000'],
      inclusive: ['1140 O 1319340 / 0', '6310 P10 660 / 0', '1220 O 0 / 1320000'],
    },
    {
      name: 'whose fee the customer bears',
      of: { fee_amount: 660, fee_borne_by: 'customer' },
      exclusive: ['1140 O 110000 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'less the fee of a card, which is exempt',
      of: { method: 'card', fee_amount: 3_300, fee_borne_by: 'us' },
      exclusive: ['1530 O 106700 / 0', '6310 PE 3300 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'less a fee whose tax rounds to 0',
      of: { fee_amount: 10, fee_borne_by: 'us' },
      exclusive: ['1140 O 109990 / 0', '6310 P10 10 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'less what was withheld',
      of: { withheld_amount: 10_210 },
      exclusive: ['1140 O 99790 / 0', '1590 O 10210 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'less a fee and what was withheld',
      of: { fee_amount: 440, fee_borne_by: 'us', withheld_amount: 10_210 },
      exclusive: [
        '1140 O 99350 / 0',
        '6310 P10 400 / 0',
        '1580 P10 40 / 0',
        '1590 O 10210 / 0',
        '1220 O 0 / 110000',
      ],
      inclusive: ['1140 O 99350 / 0', '6310 P10 440 / 0', '1590 O 10210 / 0', '1220 O 0 / 110000'],
    },
    {
      name: 'of which nothing came in',
      of: { withheld_amount: 110_000 },
      exclusive: ['1590 O 110000 / 0', '1220 O 0 / 110000'],
    },
  ];
  for (const { name, of, ...expected } of table) {
    it(name, () => {
      const made = { ...payment, ...of };
      assert.deepEqual(shown(paymentEntry(made, exclusive)), expected.exclusive);
      assert.deepEqual(shown(paymentEntry(made, inclusive)), expected.inclusive ?? expected.exclusive);
    });
  }

  it('cuts the tax of the fee, whichever way the year rounds up', () => {
    const made = { ...payment, fee_amount: 105, fee_borne_by: 'us' as const };
    const taxes = (['floor', 'round', 'ceil'] as const).map((tax_rounding) => {
      const lines = linesOf(paymentEntry(made, { ...exclusive, tax_rounding }));
      return lines.find(({ account_id }) => account_id === '1580')?.debit;
    });
    assert.deepEqual(taxes, [9, 10, 9]);
  });

  it('is dated the day of the payment and names the company on every line', () => {
    const made = paymentEntry({ ...payment, fee_amount: 440, fee_borne_by: 'us' }, exclusive);
    assert.equal(made.outcome === 'entry' && made.date, '2026-05-31');
    assert.deepEqual(
      linesOf(made).map(({ company_id }) => company_id),
      ['comp_1', 'comp_1', 'comp_1', 'comp_1'],
    );
  });

  it('is none of nothing', () => {
    assert.deepEqual(paymentEntry({ ...payment, amount: 0 }, exclusive), { outcome: 'nothing_to_post' });
  });

  it('is refused where the map leaves a place empty that it needs', () => {
    const { account_map } = exclusive;
    const collected = { ...account_map.collected, bank: null };
    const books = { ...exclusive, account_map: { ...account_map, collected, input_tax: null } };
    const fee = { fee_amount: 440, fee_borne_by: 'us' as const };
    assert.deepEqual(paymentEntry({ ...payment, ...fee }, books), {
      outcome: 'account_map_incomplete',
      missing: ['collected/bank', 'input_tax'],
    });
    assert.equal(paymentEntry({ ...payment, ...fee, method: 'card' }, books).outcome, 'entry');
  });
});
