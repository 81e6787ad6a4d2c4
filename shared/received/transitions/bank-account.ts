import type { BankAccount } from '../../invoicing/settings/bank-account.ts';
import { normalForm } from '../../kernel/normal-form.ts';

/**
 * Whether money would go to the same place. Papers write one account in full or half width, with spaces and with zeros
 * before its digits; everything else tells accounts apart, also what one of them leaves out.
 */
export function isSameAccount(one: BankAccount, other: BankAccount): boolean {
  return FIELDS.every((field) => folded(one[field]) === folded(other[field]));
}

const FIELDS = [
  'bank',
  'bank_code',
  'branch',
  'branch_code',
  'type',
  'number',
  'holder',
  'holder_kana',
] as const;

/** Digits lose the zeros before them; `normalForm` makes one width of kana, letters and digits. */
function folded(value: string | null): string {
  const text = normalForm(value ?? '', 'NFKC').replaceAll(/[\s-]/g, '');
  return text.replace(/^0+(?=\d+$)/, '');
}
