import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { firstPosition, positionBetween } from '../../../shared/crm/board-position.ts';
import {
  type CountedDeal,
  openDealsAfter,
  openYen,
  shownOpenAmounts,
  weightedAmount,
} from '../../../shared/crm/deal-amount.ts';
import { fitsCurrency, isCurrency, minorUnits, shownAmount, sum } from '../../../shared/kernel/money.ts';

describe('a weighted amount', () => {
  const table: [string, number, string, string][] = [
    ['1000', 50, 'JPY', '500'],
    ['1', 50, 'JPY', '1'],
    ['1', 49, 'JPY', '0'],
    ['999999999999999', 33, 'JPY', '330000000000000'],
    ['999999999999999', 99, 'JPY', '989999999999999'],
    ['0.01', 50, 'USD', '0.01'],
    ['0.01', 49, 'USD', '0'],
    ['10.05', 10, 'USD', '1.01'],
    ['1.005', 100, 'KWD', '1.005'],
    ['1234.56', 0, 'EUR', '0'],
  ];
  for (const [amount, probability, currency, expected] of table) {
    it(`of ${amount} ${currency} at ${probability} % is ${expected}`, () => {
      assert.equal(weightedAmount(amount, probability, currency), expected);
    });
  }

  it('in yen is what whole-number arithmetic gives', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.integer({ min: 0, max: 100 }), (amount, probability) => {
        const expected = (amount * BigInt(probability) + 50n) / 100n;
        assert.equal(weightedAmount(String(amount), probability, 'JPY'), String(expected));
      }),
    );
  });
});

describe('amounts', () => {
  it('have the decimals of their currency', () => {
    assert.deepEqual(['JPY', 'USD', 'KWD'].map(minorUnits), [0, 2, 3]);
    assert.deepEqual(['JPY', 'jpy', 'XYZ', 'YEN'].map(isCurrency), [true, false, false, false]);
    assert.equal(fitsCurrency('1.50', 'USD'), true);
    assert.equal(fitsCurrency('1.505', 'USD'), false);
    assert.equal(fitsCurrency('1.0', 'JPY'), true);
    assert.equal(fitsCurrency('1.1', 'JPY'), false);
  });

  it('are shown as whole yen, and as text in other currencies', () => {
    assert.equal(shownAmount('1500', 'JPY'), 1500);
    assert.equal(shownAmount('1500', 'USD'), '1500.00');
    assert.equal(shownAmount('12.5', 'EUR'), '12.50');
    assert.equal(shownAmount('1500', 'KRW'), '1500');
  });

  it('add up exactly', () => {
    assert.equal(sum(['0.1', '0.2']), '0.3');
    assert.equal(sum([]), '0');
  });
});

describe('the open deals of a company', () => {
  const none = { open_deals: 0, open_amounts: [] };
  const deal = (amount: string, currency = 'JPY', status = 'open'): CountedDeal => ({
    amount,
    currency,
    status,
  });

  it('count and add up by currency', () => {
    const totals = openDealsAfter(openDealsAfter(none, null, deal('12.50', 'USD')), null, deal('100'));
    assert.deepEqual(totals, {
      open_deals: 2,
      open_amounts: [
        { currency: 'JPY', amount: '100' },
        { currency: 'USD', amount: '12.5' },
      ],
    });
    assert.equal(openYen(totals), 100);
    assert.deepEqual(shownOpenAmounts(totals), [
      { currency: 'JPY', amount: 100 },
      { currency: 'USD', amount: '12.50' },
    ]);
  });

  it('do not count what is won or lost', () => {
    const one = openDealsAfter(none, null, deal('100'));
    assert.deepEqual(openDealsAfter(one, deal('100'), deal('100', 'JPY', 'won')), none);
    assert.deepEqual(openDealsAfter(none, null, deal('5', 'JPY', 'lost')), none);
  });

  it('are the same kept change by change as counted anew', () => {
    const any = fc.record({
      amount: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
      currency: fc.constantFrom('JPY', 'USD', 'EUR'),
      status: fc.constantFrom('open', 'won', 'lost'),
    });
    const changes = fc.array(fc.tuple(fc.nat(4), fc.option(any)), { maxLength: 30 });
    fc.assert(
      fc.property(changes, (steps) => {
        const deals: (CountedDeal | null)[] = Array(5).fill(null);
        let kept: ReturnType<typeof openDealsAfter> = none;
        for (const [slot, next] of steps) {
          kept = openDealsAfter(kept, deals[slot]!, next);
          deals[slot] = next;
        }
        const anew = deals.reduce((totals, one) => openDealsAfter(totals, null, one), none as typeof kept);
        assert.deepEqual(kept, anew);
      }),
    );
  });
});

describe('a position on the board', () => {
  const table: [string | null, string | null, string][] = [
    [null, null, '0'],
    [null, '5', '4'],
    [null, '-0.5', '-1'],
    ['5', null, '6'],
    ['5.5', null, '7'],
    ['1', '2', '1.5'],
    ['1', '1.5', '1.2'],
    ['1', '10', '5'],
    ['-3', '3', '0'],
    ['7', '7', '7'],
  ];
  for (const [above, below, expected] of table) {
    it(`between ${above} and ${below} is ${expected}`, () => {
      assert.equal(positionBetween(above, below), expected);
    });
  }

  it('of a new deal is below that of an older one', () => {
    const [older, newer] = [new Date(1000), new Date(1001)].map(firstPosition);
    assert.ok(Number(older) < Number(newer));
  });

  it('keeps every order that deals are placed in, and stays short', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60 }), (places) => {
        const order: string[] = [];
        for (const place of places) {
          const at = place % (order.length + 1);
          order.splice(at, 0, positionBetween(order[at - 1] ?? null, order[at] ?? null));
        }
        for (let at = 1; at < order.length; at += 1) assert.ok(new Big(order[at - 1]!).lt(order[at]!));
        assert.ok(order.every((position) => position.length < 30));
      }),
    );
  });
});
