import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BankAccount } from '../../../shared/invoicing/settings/bank-account.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { isSameAccount } from '../../../shared/received/transitions/bank-account.ts';
import { missingOf, requireComplete } from '../../../shared/received/transitions/complete.ts';

const account: BankAccount = {
  bank: 'みずほ銀行',
  bank_code: '0001',
  branch: '丸の内支店',
  branch_code: '004',
  type: 'ordinary',
  number: '0012345',
  holder: 'ヤマダショウジ（カ',
  holder_kana: 'ヤマダショウジ（カ',
};

describe('a bank account', () => {
  it('is the same whatever its width, spaces, hyphens and zeros before', () => {
    const same: Partial<BankAccount>[] = [
      {},
      { number: '12345' },
      { number: '00-12345' },
      { holder: 'ﾔﾏﾀﾞ ｼｮｳｼﾞ(ｶ', holder_kana: 'ﾔﾏﾀﾞｼｮｳｼﾞ（ｶ' },
      { bank: ' みずほ 銀行', branch: '丸の内　支店' },
    ];
    for (const change of same)
      assert.ok(isSameAccount(account, { ...account, ...change }), JSON.stringify(change));
  });

  it('is another one with any other difference', () => {
    const others: Partial<BankAccount>[] = [
      { bank: '三井住友銀行' },
      { bank_code: '0009' },
      { bank_code: null },
      { branch: null },
      { branch_code: '040' },
      { type: 'checking' },
      { number: '123450' },
      { number: '0' },
      { holder: 'ヤマタシヨウジ（カ' },
      { holder_kana: null },
    ];
    for (const change of others) {
      assert.ok(!isSameAccount(account, { ...account, ...change }), JSON.stringify(change));
      assert.ok(!isSameAccount({ ...account, ...change }, account), JSON.stringify(change));
    }
  });
});

describe('what a decision needs', () => {
  const whole = {
    kind: 'invoice' as const,
    company_id: 'comp_1',
    company_name: null,
    issue_date: '2026-11-02',
    line_items: [{}],
    stated_breakdown: null,
  };

  it('is a company, a day and, on invoices, amounts', () => {
    const table: [object, string[]][] = [
      [{}, []],
      [{ company_id: null }, ['company_id']],
      [{ company_id: null, company_name: '山田商店' }, []],
      [{ issue_date: null }, ['issue_date']],
      [{ line_items: [] }, ['line_items']],
      [{ line_items: [], stated_breakdown: [] }, ['line_items']],
      [{ line_items: [], stated_breakdown: [{}] }, []],
      [{ kind: 'delivery_note', line_items: [] }, []],
      [{ kind: 'quotation', line_items: [], issue_date: null }, ['issue_date']],
    ];
    for (const [change, missing] of table) assert.deepEqual(missingOf({ ...whole, ...change }), missing);
  });

  it('is refused with an entry for each that is missing', () => {
    assert.doesNotThrow(() => requireComplete(whole));
    const nothing = { ...whole, company_id: null, issue_date: null, line_items: [] };
    assert.throws(
      () => requireComplete(nothing),
      (error) =>
        error instanceof Failure &&
        error.code === 'incomplete' &&
        error.details.errors?.map(({ path }) => path).join() === '/company_id,/issue_date,/line_items',
    );
  });
});
