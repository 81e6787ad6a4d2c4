import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  depositsOfLines,
  type KnownDeposit,
  lineKey,
} from '../../../../../shared/invoicing/deposits/imports/known.ts';
import type { StatementLine } from '../../../../../shared/invoicing/deposits/imports/line.ts';

const line = (amount: number, more: Partial<StatementLine> = {}): StatementLine => ({
  received_on: '2026-05-29',
  amount,
  payer_name: 'ﾔﾏﾀﾞ',
  bank_reference: null,
  external_id: null,
  balance: null,
  note: null,
  ...more,
});

const deposit = (id: string, amount: number, more: Partial<KnownDeposit> = {}): KnownDeposit => {
  const { note: _, ...keys } = line(amount);
  return { id, is_met: false, line_key: null, ...keys, ...more };
};

test('the n-th equal line is the n-th equal deposit, and what is beyond them is new', () => {
  const known = [deposit('a', 100), deposit('b', 100), deposit('c', 200)];
  const lines = [line(100), line(100), line(100), line(200), line(300)];
  assert.deepEqual(depositsOfLines(lines, known), ['a', 'b', null, 'c', null]);
});

test('a deposit that an earlier row is counts no more', () => {
  assert.deepEqual(depositsOfLines([line(100)], [deposit('a', 100, { is_met: true })]), [null]);
});

test('names, references and days tell lines apart, also where there are none', () => {
  const known = [deposit('a', 100, { payer_name: null }), deposit('b', 100, { bank_reference: '7' })];
  assert.deepEqual(
    depositsOfLines([line(100), line(100, { payer_name: null }), line(100, { bank_reference: '7' })], known),
    [null, 'a', 'b'],
  );
  assert.deepEqual(depositsOfLines([line(100, { received_on: '2026-05-30' })], [deposit('a', 100)]), [null]);
});

test('a deposit is the line that an import took for it, however it is called since', () => {
  const renamed = deposit('a', 100, { payer_name: '山田商店', line_key: lineKey(line(100)) });
  assert.deepEqual(depositsOfLines([line(100, { payer_name: '山田商店' }), line(100)], [renamed]), [
    null,
    'a',
  ]);
});

test('the word for a transfer before a name makes no other line', () => {
  assert.deepEqual(depositsOfLines([line(100, { payer_name: '振込 ﾔﾏﾀﾞ' })], [deposit('a', 100)]), ['a']);
});

test('an own key tells the deposit whatever else differs, and another key tells it is none', () => {
  const known = [deposit('a', 100, { external_id: 'A' }), deposit('b', 100)];
  assert.deepEqual(depositsOfLines([line(999, { external_id: 'A' })], known), ['a']);
  assert.deepEqual(depositsOfLines([line(100, { external_id: 'B' })], known), ['b']);
  assert.deepEqual(depositsOfLines([line(100, { external_id: 'B' })], [known[0]!]), [null]);
  assert.deepEqual(depositsOfLines([line(100), line(100)], known), ['a', 'b']);
});

test('whatever a file holds, what is there after it once is all that the same file finds', () => {
  const lines = fc.array(
    fc.record({ amount: fc.constantFrom(1, 2), payer_name: fc.constantFrom('A', null) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, lines, (before, file) => {
      const all = file.map(({ amount, payer_name }) => line(amount, { payer_name }));
      const known = before.map(({ amount, payer_name }, n) => deposit(`k${n}`, amount, { payer_name }));
      const found = depositsOfLines(all, known);
      const made = all.flatMap((one, n) =>
        found[n] === null ? [deposit(`n${n}`, one.amount, { payer_name: one.payer_name })] : [],
      );
      assert.ok(depositsOfLines(all, [...known, ...made]).every((id) => id !== null));
      const used = found.filter((id) => id !== null);
      assert.equal(new Set(used).size, used.length);
    }),
  );
});

test('of thousands of equal lines each is looked at a few times', () => {
  const count = 5_000;
  let looked = 0;
  const known = Array.from({ length: count }, (_, n) => {
    const one = deposit(`d${n}`, 100, { balance: n % 2 === 0 ? null : n });
    return Object.defineProperty(one, 'id', {
      get: () => {
        looked += 1;
        return `d${n}`;
      },
    });
  });
  for (const balanceOf of [() => null, (n: number) => n, (n: number) => (n % 3 === 0 ? null : -n)]) {
    looked = 0;
    const lines = Array.from({ length: count }, (_, n) => line(100, { balance: balanceOf(n) }));
    const used = depositsOfLines(lines, known).filter((id) => id !== null);
    assert.equal(new Set(used).size, used.length);
    assert.ok(used.length >= count / 2);
    assert.ok(looked < 20 * count, `${looked} looks`);
  }
});

test('a balance tells lines apart where both have one, and comes before a want of one', () => {
  const known = [deposit('a', 100, { balance: 5 }), deposit('b', 100, { balance: null })];
  const of = (...balances: (number | null)[]) =>
    depositsOfLines(
      balances.map((balance) => line(100, { balance })),
      known,
    );
  assert.deepEqual(of(null, 5), ['b', 'a']);
  assert.deepEqual(of(6, 7), ['b', null]);
  assert.deepEqual(of(null, null, null), ['a', 'b', null]);
  assert.deepEqual(depositsOfLines([line(100, { balance: 6 })], [known[0]!]), [null]);
});
