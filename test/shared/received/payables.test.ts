import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  lessWithholding,
  openPayables,
  type PaidPart,
  payablePart,
} from '../../../shared/received/journals/payables.ts';
import { receivedPaymentEntry } from '../../../shared/received/journals/payment-entry.ts';
import { exclusive, inclusive, linesOf, shown } from '../accounting/sources/books.ts';

const owed = (payable: bigint, payable_other: bigint) => ({ payable, payable_other });

describe('what is withheld', () => {
  const table: [from: [bigint, bigint], withheld: bigint, to: [bigint, bigint]][] = [
    [[100n, 50n], 20n, [100n, 30n]],
    [[100n, 50n], 60n, [90n, 0n]],
    [[100n, 0n], 10n, [90n, 0n]],
    [[0n, 50n], 50n, [0n, 0n]],
    [[100n, -20n], 10n, [90n, -20n]],
    [[-100n, -50n], -60n, [-90n, 0n]],
  ];
  for (const [from, withheld, to] of table) {
    it(`${withheld} of ${from} leaves ${to}`, () => {
      assert.deepEqual(lessWithholding(owed(...from), withheld), owed(...to));
    });
  }
});

describe('a payment', () => {
  const table: [open: [bigint, bigint], amount: bigint, payable: bigint][] = [
    [[100n, 50n], 150n, 100n],
    [[100n, 50n], 40n, 40n],
    [[100n, 50n], 120n, 100n],
    [[0n, 50n], 20n, 0n],
    [[100n, -20n], 50n, 50n],
    [[100n, -20n], 80n, 100n],
    [[-20n, 100n], 50n, 0n],
    [[-20n, 100n], 80n, -20n],
    [[-100n, -50n], -120n, -100n],
    [[-100n, 20n], -30n, -30n],
  ];
  for (const [open, amount, payable] of table) {
    it(`of ${amount} pays ${payable} of the ${open[0]} for goods beside ${open[1]}`, () => {
      assert.equal(payablePart(amount, owed(...open)), payable);
    });
  }

  it('in any order, with others taken back, leaves nothing open once all is paid', () => {
    const amounts = fc.array(fc.nat(1_000), { maxLength: 8 });
    const yen = fc.bigInt({ min: 0n, max: 2_000n });
    fc.assert(
      fc.property(yen, yen, amounts, fc.nat(7), (payable, payable_other, steps, taken_back) => {
        let payments: PaidPart[] = [];
        const whole = owed(payable, payable_other);
        const pay = (amount: bigint) => {
          const open = openPayables(whole, payments);
          assert.ok(open.payable >= 0n && open.payable_other >= 0n);
          payments.push({ amount, payable_amount: payablePart(amount, open) });
        };
        const left = () => payments.reduce((rest, { amount }) => rest - amount, payable + payable_other);
        for (const step of steps) pay(left() < BigInt(step) ? left() : BigInt(step));
        payments = payments.filter((_, place) => place !== taken_back);
        pay(left());
        assert.deepEqual(openPayables(whole, payments), owed(0n, 0n));
      }),
    );
  });
});

describe('the entry of a payment of a received invoice', () => {
  type Paid = Parameters<typeof receivedPaymentEntry>[0];
  const payment: Paid = {
    company_id: 'comp_1',
    paid_on: '2026-11-30',
    amount: 110_000,
    payable_amount: 110_000,
    method: 'bank_transfer',
    fee_amount: 0,
    fee_borne_by: null,
  };
  const table: { name: string; of: Partial<Paid>; exclusive: string[]; inclusive?: string[] }[] = [
    { name: 'by transfer', of: {}, exclusive: ['2120 O 110000 / 0', '1140 O 0 / 110000'] },
    {
      name: 'of both debts',
      of: { payable_amount: 10_000 },
      exclusive: ['2120 O 10000 / 0', '2310 O 100000 / 0', '1140 O 0 / 110000'],
    },
    { name: 'in cash', of: { method: 'cash' }, exclusive: ['2120 O 110000 / 0', '1110 O 0 / 110000'] },
    { name: 'otherwise', of: { method: 'other' }, exclusive: ['2120 O 110000 / 0', '1140 O 0 / 110000'] },
    { name: 'set off', of: { method: 'offset' }, exclusive: ['2120 O 110000 / 0', '1220 O 0 / 110000'] },
    {
      name: 'with the fee of a transfer that we bear',
      of: { fee_amount: 550, fee_borne_by: 'us' },
      exclusive: ['2120 O 110000 / 0', '6310 P10 500 / 0', '1580 P10 50 / 0', '1140 O 0 / 110550'],
      inclusive: ['2120 O 110000 / 0', '6310 P10 550 / 0', '1140 O 0 / 110550'],
    },
    {
      name: 'whose fee the supplier bears',
      of: { fee_amount: 550, fee_borne_by: 'supplier' },
      exclusive: ['2120 O 110000 / 0', '1140 O 0 / 110000'],
    },
    {
      name: 'by card, whose fee is exempt',
      of: { method: 'card', fee_amount: 100, fee_borne_by: 'us' },
      exclusive: ['2120 O 110000 / 0', '6310 PE 100 / 0', '2310 O 0 / 110100'],
    },
    {
      name: 'set off, with a fee',
      of: { method: 'offset', fee_amount: 110, fee_borne_by: 'us' },
      exclusive: [
        '2120 O 110000 / 0',
        '6310 P10 100 / 0',
        '1580 P10 10 / 0',
        '1220 O 0 / 110000',
        '1140 O 0 / 110',
      ],
    },
    {
      name: 'that came back',
      of: { amount: -1_000, payable_amount: -1_000, fee_amount: 110, fee_borne_by: 'us' },
      exclusive: ['2120 O 0 / 1000', '6310 P10 100 / 0', '1580 P10 10 / 0', '1140 O 890 / 0'],
    },
  ];
  for (const { name, of, ...expected } of table) {
    it(name, () => {
      const entry = (books: typeof exclusive) => receivedPaymentEntry({ ...payment, ...of }, books);
      assert.deepEqual(shown(entry(exclusive)), expected.exclusive);
      if (expected.inclusive) assert.deepEqual(shown(entry(inclusive)), expected.inclusive);
    });
  }

  it('names the supplier on every line but that of the card', () => {
    const lines = linesOf(receivedPaymentEntry({ ...payment, method: 'card' }, exclusive));
    assert.deepEqual(
      lines.map(({ company_id }) => company_id),
      ['comp_1', null],
    );
  });
});
