import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { payerKey, payerSearch } from '../../../../shared/invoicing/deposits/suggestions/payer-name.ts';
import { type Candidate, suggest } from '../../../../shared/invoicing/deposits/suggestions/suggest.ts';
import { MOST_OPEN, sumsOf, usualFees } from '../../../../shared/invoicing/deposits/suggestions/sums.ts';

const invoice = (n: number, balance: number, due_date = '2026-05-31') => ({
  id: `inv_${String(n).padStart(3, '0')}`,
  number: `INV-${n}`,
  balance,
  issue_date: '2026-04-30',
  due_date,
});

const company = (fields: Partial<Candidate>): Candidate => ({
  company_id: 'comp_1',
  company_name: '株式会社青空商店',
  names: ['株式会社青空商店', 'アオゾラショウテン'],
  paid_before: false,
  invoices: [],
  ...fields,
});

const came_in = { payer_name: 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', received_on: '2026-05-31' };

describe('the name of a payer', () => {
  for (const [written, registered] of [
    ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', 'アオゾラショウテン'],
    ['ｱｵｿﾞﾗｼﾖｳﾃﾝ(ｶ', '株式会社アオゾラ ショウテン'],
    ['ﾕ)ﾀﾅｶ-ｺ-ﾋ-', 'タナカコーヒー'],
    ['ド）ミツワ・フーズ', 'ミツワフーズ'],
    ['ｱｵｿ ﾞﾗ', 'あおぞら'],
    ['髙橋商店', '高橋商店㈱'],
    ['YAMADA TARO', 'yamada　taro'],
    ['ｲ)ｻｻｷｲｲﾝ', 'ササキイイン'],
    ['ｼﾔ)ﾖｼﾀﾞｶｲ', 'ヨシダカイ'],
    ['ｶﾞｸ)ﾊｼﾓﾄｶﾞｸｴﾝ', 'ハシモトガクエン'],
    ['ｾﾞｲ)ｱﾍﾞｶｲｹｲ', 'アベカイケイ'],
    ['ﾌｸ)ﾋﾏﾜﾘ', 'ヒマワリ'],
    ['ﾄｸﾋ)ﾐﾄﾞﾘ', '特定非営利活動法人ミドリ'],
    ['青空会', '医療法人社団青空会'],
    ['吉田会', '一般社団法人吉田会'],
  ] as const) {
    test(`${written} is ${registered}`, () => {
      assert.equal(payerKey(written), payerKey(registered));
    });
  }

  test('is looked for by the letters that are written in one way, and found whatever stands between', () => {
    const { grams, pattern } = payerSearch('ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ')!;
    assert.deepEqual(
      grams.map((gram) => String.fromCharCode(gram)).join(''),
      [...'ぞらしうてん']
        .filter((letter) => letter !== 'う')
        .toSorted()
        .join(''),
    );
    assert.match('株式会社青空商店\nあおぞら・しょうてん', new RegExp(pattern));
    assert.doesNotMatch('あおぞら\nしょうてん', new RegExp(pattern));
    assert.equal(payerSearch('ｱ'), null);
    assert.equal(payerSearch('ｶ)'), null);
    assert.equal(payerSearch('(((('), null);
  });

  test('a name with any marks makes a pattern that takes them for nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const search = payerSearch(name);
        if (search) assert.doesNotThrow(() => new RegExp(search.pattern, 'u'));
      }),
    );
  });
});

describe('a suggestion', () => {
  test('of the name and the amount is nearly sure', () => {
    const [first, ...others] = suggest({ ...came_in, amount: 12_080 }, [
      company({ invoices: [invoice(1, 12_080), invoice(2, 5_000)] }),
      company({
        company_id: 'comp_2',
        company_name: '別の会社',
        names: ['別の会社'],
        invoices: [invoice(3, 12_080)],
      }),
    ]);
    assert.deepEqual(first, {
      company_id: 'comp_1',
      company_name: '株式会社青空商店',
      allocations: [{ invoice_id: 'inv_001', number: 'INV-1', amount: 12_080 }],
      fee_amount: 0,
      score: 98,
      reasons: ['name', 'amount', 'due_near'],
    });
    assert.deepEqual(
      others.map(({ company_id, score, reasons }) => [company_id, score, reasons]),
      [['comp_2', 48, ['amount', 'due_near']]],
    );
  });

  test('begin with an invoice that can hold the fee that no allocation has yet', () => {
    const invoices = [invoice(1, 500), invoice(2, 11_580)];
    const of = (untaken_fee: number) =>
      suggest({ ...came_in, amount: 12_080, untaken_fee }, [company({ invoices })])
        .filter(({ reasons }) => reasons.includes('sum'))
        .map(({ allocations }) => allocations.map(({ amount }) => amount));
    assert.deepEqual(of(0), [[500, 11_580]]);
    assert.deepEqual(of(501), [[11_580, 500]]);
    assert.deepEqual(of(11_581), []);
  });

  test('takes a usual fee for one, and makes it part of an invoice that can hold it', () => {
    const [first] = suggest({ ...came_in, amount: 12_280 }, [
      company({ invoices: [invoice(1, 200), invoice(2, 12_520)] }),
    ]);
    assert.deepEqual(
      [first!.fee_amount, first!.reasons, first!.allocations.map(({ amount }) => amount)],
      [440, ['name', 'sum', 'all_open', 'fee', 'due_near'], [12_520, 200]],
    );
  });

  test('sums up to four invoices of a company that is named, fewer first; five never', () => {
    const invoices = [100, 200, 400, 800, 1_600].map((balance, n) => invoice(n, balance * 10));
    const of = (amount: number) => suggest({ ...came_in, amount }, [company({ invoices })]);
    assert.deepEqual(of(15_000)[0]!.allocations.length, 4);
    assert.deepEqual(
      of(3_000)[0]!.allocations.map(({ amount }) => amount),
      [1_000, 2_000],
    );
    assert.ok(
      of(31_000).every(
        ({ allocations }) => allocations.length <= 4 || of(31_000)[0]!.reasons.includes('oldest_first'),
      ),
    );
    const unnamed = company({ names: ['別の会社'], invoices });
    assert.deepEqual(suggest({ ...came_in, amount: 3_000 }, [unnamed]), []);
  });

  test('pays what is due first where no sum fits, up to what is owed', () => {
    const invoices = [invoice(1, 12_000), invoice(2, 5_001)];
    const [part] = suggest({ ...came_in, amount: 13_000 }, [company({ invoices })]);
    assert.deepEqual(
      part!.allocations.map(({ amount }) => amount),
      [12_000, 1_000],
    );
    const [much] = suggest({ ...came_in, amount: 99_000 }, [company({ invoices })]);
    assert.deepEqual(
      much!.allocations.map(({ amount }) => amount),
      [12_000, 5_001],
    );
    assert.ok(much!.score < 70 && much!.reasons.includes('oldest_first'));
  });

  test('knows a name under which was paid before, and one that is cut', () => {
    const scoreOf = (fields: Partial<Candidate>, payer_name: string) => {
      const asked = { ...came_in, payer_name, amount: 700 };
      return suggest(asked, [company({ invoices: [invoice(1, 700)], ...fields })])[0]!.reasons[0];
    };
    assert.equal(scoreOf({ paid_before: true }, 'ｷﾀﾑﾗ'), 'paid_before');
    assert.equal(scoreOf({}, 'ｶ)ｱｵｿﾞﾗ'), 'name_part');
    assert.equal(scoreOf({}, 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ ｵｵｻｶ'), 'name_part');
    assert.equal(scoreOf({}, 'ｱｵ'), 'amount');
  });

  const open = fc
    .array(
      fc.record({ balance: fc.integer({ min: 1, max: 5_000 }), due: fc.integer({ min: 10, max: 28 }) }),
      {
        maxLength: 12,
      },
    )
    .map((rows) => rows.map(({ balance, due }, n) => invoice(n, balance, `2026-05-${due}`)));

  test('pays balances and no more, and exactly what came in and the fee where it says so', () => {
    const candidates = fc.array(
      fc.record({ invoices: open, is_named: fc.boolean(), paid_before: fc.boolean() }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 12_000 }), (rows, amount) => {
        const companies = rows.map(({ invoices, is_named, paid_before }, n) =>
          company({
            company_id: `comp_${n}`,
            names: is_named ? ['アオゾラショウテン'] : ['別の会社'],
            paid_before,
            invoices,
          }),
        );
        const found = suggest({ ...came_in, amount }, companies);
        assert.ok(found.length <= 10);
        for (const [n, { company_id, allocations, fee_amount, score, reasons }] of found.entries()) {
          assert.ok(Number.isInteger(score) && score >= 0 && score <= 100);
          assert.ok(n === 0 || found[n - 1]!.score >= score);
          const { invoices } = companies.find((one) => one.company_id === company_id)!;
          const paid = allocations.reduce((sum, one) => sum + one.amount, 0);
          assert.equal(new Set(allocations.map(({ invoice_id }) => invoice_id)).size, allocations.length);
          for (const one of allocations) {
            const { balance } = invoices.find(({ id }) => id === one.invoice_id)!;
            assert.ok(one.amount > 0 && one.amount <= balance);
          }
          assert.ok(allocations[0]!.amount >= fee_amount);
          if (reasons.includes('oldest_first')) assert.ok(paid <= amount && fee_amount === 0);
          else assert.equal(paid, amount + fee_amount);
        }
      }),
    );
  });

  test('finds a sum of up to four where there is one, as trying all of them does', () => {
    fc.assert(
      fc.property(open, fc.integer({ min: 1, max: 12_000 }), (invoices, amount) => {
        const targets = new Set([0, ...usualFees].map((fee) => amount + fee));
        const exists = subsets(invoices.map(({ balance }) => balance)).some((sum) => targets.has(sum));
        assert.equal(sumsOf(amount, invoices, 4).length > 0, exists);
      }),
    );
  });

  test('looks at so many sums at the most, whatever is open', () => {
    const invoices = Array.from({ length: 1_000 }, (_, n) => invoice(n, 1_000_003 + 2 * n));
    const looked = sumsOf(9_999_999_999, invoices, 4);
    assert.deepEqual(looked, []);
    const same = Array.from({ length: 1_000 }, (_, n) => invoice(n, 1_000));
    assert.equal(sumsOf(4_000, same, 4).length, 20);
    assert.ok(
      sumsOf(4_000, same, 4).every((sum) => sum.invoices.every(({ id }) => Number(id.slice(4)) < MOST_OPEN)),
    );
  });
});

/** The sums of one to four of some numbers. */
function subsets(numbers: readonly number[], most = 4): number[] {
  if (most === 0) return [];
  return numbers.flatMap((number, at) => [
    number,
    ...subsets(numbers.slice(at + 1), most - 1).map((sum) => sum + number),
  ]);
}
