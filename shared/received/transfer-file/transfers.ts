import type { BankAccount } from '../../invoicing/settings/bank-account.ts';
import type { FieldError } from '../../kernel/failure.ts';
import { accountKey, transferAccount } from './account.ts';
import { HOLDER_WIDTH, MOST_OF_ALL, MOST_OF_ONE, type Transfer } from './format.ts';

/** An invoice that is to be paid by transfer: its balance in yen, its account, and where the body names it. */
type Payable = { balance: number; bank_account: BankAccount | null; path: string };

/**
 * One transfer an account, of the sum of its invoices, in the order in which they name them. Faults, all of them: what an
 * account lacks (`transferAccount`), sums beyond the digits of the format (`out_of_range`).
 */
export function transfersOf(invoices: readonly Payable[]): Transfer[] | { faults: FieldError[] } {
  const faults: FieldError[] = [];
  const transfers = new Map<string, Transfer>();
  for (const { balance, bank_account, path } of invoices) {
    const to = transferAccount(bank_account, HOLDER_WIDTH.to);
    if ('code' in to) {
      faults.push({ in: 'body', path, ...to });
      continue;
    }
    const transfer = transfers.get(accountKey(to)) ?? { to, amount: 0n };
    const amount = transfer.amount + BigInt(balance);
    if (amount > MOST_OF_ONE) faults.push(outOfRange(path, amount));
    transfers.set(accountKey(to), { to: transfer.to, amount });
  }
  const sum = [...transfers.values()].reduce((all, { amount }) => all + amount, 0n);
  if (sum > MOST_OF_ALL) faults.push(outOfRange('/ids', sum));
  return faults.length > 0 ? { faults } : [...transfers.values()];
}

function outOfRange(path: string, amount: bigint): FieldError {
  const message = {
    en: `${amount} yen are more than a transfer file has digits for`,
    ja: `${amount}円は振込データの桁数を超えています`,
  };
  return { in: 'body', path, code: 'out_of_range', message };
}
