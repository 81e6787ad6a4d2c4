import type { BankAccount } from '../../invoicing/settings/bank-account.ts';
import type { Text } from '../../kernel/language.ts';
import type { TransferAccount } from './format.ts';
import { transferName } from './kana.ts';

/** Digits that the number of an account has in a transfer file. */
const NUMBER_WIDTH = 7;

/** What keeps an account out of a transfer file. */
export type AccountFault = { code: 'required' | 'too_long' | 'invalid_format'; message: Text };

/**
 * An account as a transfer file names it, the name in at most `width` letters; or what is missing, too long, or has letters
 * that such files do not have.
 */
export function transferAccount(account: BankAccount | null, width: number): TransferAccount | AccountFault {
  if (account === null) return fault('required', 'bank_account');
  const { bank_code, branch_code, type } = account;
  if (bank_code === null) return fault('required', 'bank_code');
  if (branch_code === null) return fault('required', 'branch_code');
  const number = account.number.replaceAll('-', '');
  if (number.length > NUMBER_WIDTH) return fault('too_long', 'number', NUMBER_WIDTH);
  if (account.holder_kana === null || account.holder_kana.trim() === '')
    return fault('required', 'holder_kana');
  const holder = transferName(account.holder_kana);
  if (holder === null) return fault('invalid_format', 'holder_kana');
  if (holder.length > width) return fault('too_long', 'holder_kana', width);
  return { bank_code, branch_code, type, number: number.padStart(NUMBER_WIDTH, '0'), holder };
}

/** Two accounts are one where a bank would credit the same. */
export function accountKey({ bank_code, branch_code, type, number }: TransferAccount): string {
  return [bank_code, branch_code, type, number].join(' ');
}

function fault(code: AccountFault['code'], field: string, width = 0): AccountFault {
  const messages: Readonly<Record<AccountFault['code'], Text>> = {
    required: {
      en: `${field} is missing; a transfer file needs it`,
      ja: `${field} がありません。振込データの作成に必要です`,
    },
    too_long: {
      en: `${field} has more than the ${width} letters that a transfer file has for it`,
      ja: `${field} が振込データの桁数（${width}文字）を超えています`,
    },
    invalid_format: {
      en: `${field} has letters that transfer files do not have; they take kana, A-Z, digits, space and ()-./,\\「」`,
      ja: `${field} に振込データで使えない文字があります。使えるのはカナ、英大文字、数字、スペース、()-./,\\「」です`,
    },
  };
  return { code, message: messages[code] };
}
