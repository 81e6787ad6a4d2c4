import { BankAccount } from '../settings/bank-account.ts';
import { CompanySnapshot } from './fields.ts';

const members = {
  bank_account: Object.keys(BankAccount.shape),
  company_snapshot: Object.keys(CompanySnapshot.shape),
};

/**
 * A member of JSON as the schemas write it: the database keeps the members in an order of its own, and changes are told
 * by comparing texts.
 */
export function inOrder<Value extends object | null>(column: keyof typeof members, value: Value): Value {
  if (value === null) return value;
  const source = value as Record<string, unknown>;
  return Object.fromEntries(members[column].map((member) => [member, source[member]])) as Value;
}
