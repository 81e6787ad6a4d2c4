import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BankAccount } from '../../../shared/invoicing/settings/bank-account.ts';
import { accountKey, transferAccount } from '../../../shared/received/transfer-file/account.ts';
import { transferBytes, transferText } from '../../../shared/received/transfer-file/format.ts';
import { transfersOf } from '../../../shared/received/transfer-file/transfers.ts';
import { readTransferFile } from '../../support/transfer-files.ts';

const account: BankAccount = {
  bank: 'みずほ銀行',
  bank_code: '0001',
  branch: '丸の内支店',
  branch_code: '004',
  type: 'ordinary',
  number: '12-345',
  holder: '山田商事株式会社',
  holder_kana: 'ヤマダショウジ（カ',
};

const from = {
  bank_code: '0005',
  branch_code: '110',
  type: 'savings' as const,
  number: '7654321',
  holder: 'ｱｵﾊﾞ(ｶ',
};

describe('a transfer file', () => {
  const to = (type: BankAccount['type'], number: string) => ({
    bank_code: '0001',
    branch_code: '004',
    type,
    number,
    holder: 'ﾔﾏﾀﾞ\\｢ｶﾞ｣',
  });
  const text = transferText({ client_code: '42', date: '2026-12-25', from }, [
    { to: to('ordinary', '0012345'), amount: 59_240n },
    { to: to('checking', '0000001'), amount: 9_999_999_999n },
    { to: to('savings', '0000002'), amount: 1n },
  ]);

  it('has the codes of CP932, record by record', () => {
    const read = readTransferFile(transferBytes(text));
    assert.deepEqual(read.header, {
      client_code: '0000000042',
      holder: 'ｱｵﾊﾞ(ｶ',
      day: '1225',
      bank: '0005',
      branch: '110',
      type: '9',
      number: '7654321',
    });
    const named = { bank: '0001', branch: '004', holder: 'ﾔﾏﾀﾞ\\｢ｶﾞ｣' };
    assert.deepEqual(read.transfers, [
      { ...named, type: '1', number: '0012345', amount: 59_240 },
      { ...named, type: '2', number: '0000001', amount: 9_999_999_999 },
      { ...named, type: '4', number: '0000002', amount: 1 },
    ]);
    assert.deepEqual([read.count, read.sum], [3, 10_000_059_240]);
  });

  it('is as long as its records', () => {
    assert.equal(text.length, 6 * 122);
    assert.equal(transferBytes(text).length, 6 * 122);
  });
});

describe('an account in a transfer file', () => {
  it('has its digits and the letters of banks', () => {
    assert.deepEqual(transferAccount(account, 30), {
      bank_code: '0001',
      branch_code: '004',
      type: 'ordinary',
      number: '0012345',
      holder: 'ﾔﾏﾀﾞｼﾖｳｼﾞ(ｶ',
    });
  });

  const table: [why: string, account: BankAccount | null, code: string, named: RegExp][] = [
    ['none', null, 'required', /bank_account/],
    ['no bank code', { ...account, bank_code: null }, 'required', /bank_code/],
    ['no branch code', { ...account, branch_code: null }, 'required', /branch_code/],
    ['no kana', { ...account, holder_kana: null }, 'required', /holder_kana/],
    ['blank kana', { ...account, holder_kana: '　' }, 'required', /holder_kana/],
    ['letters of no bank', { ...account, holder_kana: '山田' }, 'invalid_format', /holder_kana/],
    ['a long name', { ...account, holder_kana: 'ア'.repeat(31) }, 'too_long', /30/],
    ['sound marks that make it long', { ...account, holder_kana: 'ガ'.repeat(16) }, 'too_long', /30/],
    ['a long number', { ...account, number: '1234-5678' }, 'too_long', /number.*7/],
  ];
  for (const [why, of, code, named] of table) {
    it(`is refused for ${why}`, () => {
      const fault = transferAccount(of, 30);
      assert.ok('code' in fault);
      assert.equal(fault.code, code);
      assert.match(fault.message.en, named);
      assert.notEqual(fault.message.ja, fault.message.en);
    });
  }

  it('fits to the letter', () => {
    const fits = transferAccount({ ...account, holder_kana: 'ガ'.repeat(15), number: '1234567' }, 30);
    assert.ok('holder' in fits);
    assert.equal(fits.holder.length, 30);
  });

  it('is one with another where the bank would credit the same', () => {
    const key = (other: Partial<BankAccount>) => {
      const made = transferAccount({ ...account, ...other }, 30);
      assert.ok(!('code' in made));
      return accountKey(made);
    };
    assert.equal(key({ number: '0012345', holder_kana: 'ヤマダ' }), key({}));
    for (const other of [
      { bank_code: '0002' },
      { branch_code: '005' },
      { type: 'checking' as const },
      { number: '12346' },
    ])
      assert.notEqual(key(other), key({}));
  });
});

describe('the sums of a transfer file', () => {
  const owed = (balance: number, number: string, place: number) => {
    return { balance, bank_account: { ...account, number }, path: `/ids/${place}` };
  };
  const faultsOf = (of: ReturnType<typeof owed>[]) => {
    const made = transfersOf(of);
    return 'faults' in made ? made.faults.map(({ path, code }) => `${path} ${code}`) : [];
  };

  it('have ten digits an account, in the order in which invoices name them', () => {
    const full = 9_999_999_999;
    const made = transfersOf([owed(1, '2', 0), owed(full - 1, '1', 1), owed(1, '1', 2)]);
    assert.ok(!('faults' in made));
    assert.deepEqual(
      made.map(({ to, amount }) => [to.number, amount]),
      [
        ['0000002', 1n],
        ['0000001', BigInt(full)],
      ],
    );
    assert.deepEqual(faultsOf([owed(full, '1', 0), owed(1, '2', 1), owed(1, '1', 2)]), [
      '/ids/2 out_of_range',
    ]);
  });

  it('have twelve digits together', () => {
    const most = Array.from({ length: 100 }, (_, place) => owed(9_999_999_999, `${place + 1}`, place));
    assert.deepEqual(faultsOf([...most, owed(99, '101', 100)]), []);
    assert.deepEqual(faultsOf([...most, owed(100, '101', 100)]), ['/ids out_of_range']);
  });
});
