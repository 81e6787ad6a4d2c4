import { holdCompanies } from '../../crm/companies/names.ts';
import { Failure, type FieldError, invalidAll, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { Account } from '../accounts/record.ts';
import type { AccountMap } from '../settings/account-map.ts';
import { splitTax, type TaxRules } from '../tax/auto-tax.ts';
import type { LineInput } from './line-input.ts';
import type { LineRow } from './rows.ts';

/** The lines of an entry as they were sent, where the body has them, and the rules of its year. */
export type SentLines = { lines: readonly LineInput[]; path: string; rules: TaxRules };

/** The lines of an entry, and the types of their accounts. */
export type ResolvedLines = { lines: LineRow[]; account_types: ReadonlySet<Account['account_type']> };

type Known = Pick<Account, 'id' | 'code' | 'name' | 'account_type' | 'tax_category' | 'is_active'>;

/** What lines of several entries name: accounts by ID and by code, and the companies that are there. */
export type KnownNames = {
  by_id: ReadonlyMap<string, Known>;
  by_code: ReadonlyMap<string, Known>;
  /** By the ID that a line names, the company that it leads to: another one where it was merged. */
  companies: ReadonlyMap<string, string>;
};

/** Reads what lines name; companies stay while the lines are written. */
export async function namesIn(
  work: Work,
  lines: readonly LineInput[],
  account_map: AccountMap,
): Promise<KnownNames> {
  const [accounts, companies] = await Promise.all([
    accountsOf(work, lines, account_map),
    holdCompanies(
      work,
      lines.flatMap(({ company_id }) => company_id ?? []),
    ),
  ]);
  return { ...accounts, companies };
}

/** Makes the lines of one entry. Errors: `unknown_reference`, `inactive_account`, `unbalanced`, `account_map_incomplete`. */
export function resolveEntry(
  work: Pick<Work, 'now'>,
  { lines, path, rules }: SentLines,
  known: KnownNames,
  account_map: AccountMap,
): ResolvedLines {
  const account_types = new Set<Account['account_type']>();
  const resolved = lines.flatMap((line, index): Omit<LineRow, 'line'>[] => {
    const place = `${path}/${index}`;
    const account = accountOfLine(known, line, place);
    requireReferences(known, line, place);
    account_types.add(account.account_type);
    return linesOfOne(work, line, account, { known, account_map, rules });
  });
  const numbered = resolved.map((line, index) => ({ ...line, line: index + 1 }));
  requireBalance(numbered, path);
  return { lines: numbered, account_types };
}

async function accountsOf(
  { connection, organization_id }: Work,
  lines: readonly LineInput[],
  { input_tax, output_tax }: AccountMap,
): Promise<Omit<KnownNames, 'companies'>> {
  const ids = new Set(lines.flatMap(({ account_id }) => account_id ?? []));
  for (const id of [input_tax, output_tax]) if (id !== null) ids.add(id);
  const codes = new Set(lines.flatMap(({ account_code }) => account_code ?? []));
  const found = await connection.query<Known>(
    `SELECT id, code, name, account_type, tax_category, is_active FROM accounting_accounts
      WHERE organization_id = $1 AND (id = ANY ($2) OR code = ANY ($3))`,
    [organization_id, [...ids], [...codes]],
  );
  return {
    by_id: new Map(found.map((account) => [account.id, account])),
    by_code: new Map(found.map((account) => [account.code, account])),
  };
}

function accountOfLine(
  { by_id, by_code }: KnownNames,
  { account_id, account_code }: LineInput,
  path: string,
): Known {
  const account = account_id === undefined ? by_code.get(account_code!) : by_id.get(account_id);
  const place = `${path}/${account_id === undefined ? 'account_code' : 'account_id'}`;
  if (!account) throw unknownReference(place, (account_id ?? account_code)!);
  if (account.is_active) return account;
  const message = {
    en: `${account.code} ${account.name} takes no new lines`,
    ja: `${account.code} ${account.name} は無効な勘定科目です`,
  };
  const errors: FieldError[] = [{ in: 'body', path: place, code: 'inactive_account', message }];
  throw new Failure('inactive_account', { detail: message, errors });
}

/** The company of a line must be there. There are no departments yet. */
function requireReferences({ companies }: KnownNames, line: LineInput, path: string): void {
  const { company_id, department_id } = line;
  if (department_id) throw unknownReference(`${path}/department_id`, department_id);
  if (company_id && !companies.has(company_id)) throw unknownReference(`${path}/company_id`, company_id);
}

type Splitting = { known: KnownNames; account_map: AccountMap; rules: TaxRules };

function linesOfOne(
  work: Pick<Work, 'now'>,
  sent: LineInput,
  account: Known,
  { known, account_map, rules }: Splitting,
): Omit<LineRow, 'line'>[] {
  const on = ({ id, code, name }: Known) => {
    return { id: newId('jel', work.now), account_id: id, account_code: code, account_name: name };
  };
  const values = {
    debit: sent.debit ?? 0,
    credit: sent.credit ?? 0,
    tax_category: sent.tax_category ?? account.tax_category,
    company_id: known.companies.get(sent.company_id ?? '') ?? null,
    department_id: null,
    description: sent.description ?? null,
  };
  if (!sent.auto_tax) return [{ ...on(account), ...values }];
  const [line, ...taxes] = splitTax(values, rules);
  return [
    { ...on(account), ...line },
    ...taxes.map(({ place, ...tax }) => {
      const tax_account = known.by_id.get(account_map[place] ?? '');
      if (!tax_account) throw mapIncomplete([`/${place}`]);
      return { ...on(tax_account), ...tax, department_id: null };
    }),
  ];
}

/** Places of the account map that an entry needs are empty: 409 that names them. */
export function mapIncomplete(places: readonly string[]): Failure {
  const named = places.map((place) => `account_map${place}`).join(', ');
  const detail = {
    en: `${named} of the accounting settings must name an account`,
    ja: `会計設定の ${named} に勘定科目を指定してください`,
  };
  return new Failure('account_map_incomplete', { detail, members: { places } });
}

/** Sees that debits and credits are equal. Errors: `unbalanced`. */
function requireBalance(lines: readonly { debit: number; credit: number }[], path: string): void {
  const debit = lines.reduce((sum, line) => sum + line.debit, 0);
  const credit = lines.reduce((sum, line) => sum + line.credit, 0);
  if (debit === credit) return;
  const message = {
    en: `The debits are ${debit} yen, the credits ${credit}`,
    ja: `借方合計は${debit}円、貸方合計は${credit}円です`,
  };
  throw new Failure('unbalanced', {
    detail: message,
    errors: [{ in: 'body', path, code: 'unbalanced', message }],
    members: { debit, credit },
  });
}

/** The types of accounts, which stay as they are until the work commits: who changes one takes the books alone. */
export async function accountTypesOf(
  { connection, organization_id }: Work,
  account_ids: readonly string[],
): Promise<Set<Account['account_type']>> {
  const rows = await connection.query<Pick<Account, 'account_type'>>(
    'SELECT DISTINCT account_type FROM accounting_accounts WHERE organization_id = $1 AND id = ANY ($2)',
    [organization_id, [...new Set(account_ids)]],
  );
  return new Set(rows.map(({ account_type }) => account_type));
}

/** Sees that opening balances stand on the balance sheet alone. Errors: `validation_failed` with `not_allowed`. */
export function requireBalanceSheet(account_types: ReadonlySet<Account['account_type']>, path: string): void {
  if (!account_types.has('revenue') && !account_types.has('expense')) return;
  const message = {
    en: 'Opening balances are of assets, liabilities and equity alone',
    ja: '開始残高に使えるのは資産・負債・純資産の勘定科目だけです',
  };
  throw invalidAll([{ in: 'body', path, code: 'not_allowed', message }]);
}
