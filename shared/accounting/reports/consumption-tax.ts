import type { Language } from '../../kernel/language.ts';
import { taxCategories } from '../tax/categories.ts';
import {
  accountName,
  byCode,
  type FiguresByAccount,
  movementGroups,
  type ReportAccount,
  sumsOf,
} from './figures.ts';

export type ConsumptionTaxInput = {
  accounts: readonly ReportAccount[];
  /** What the lines of each category moved in the range, by the code of the category. */
  range: ReadonlyMap<string, FiguresByAccount>;
  /** The IDs of the accounts of consumption tax paid and received. */
  tax_account_ids: ReadonlySet<string>;
  /** Shows this category alone; `O` is shown where it is asked for. */
  tax_category?: string;
  lang: Language;
};

export type ConsumptionTaxAccount = {
  code: string;
  name: string;
  debit: bigint;
  credit: bigint;
  balance: bigint;
};

export type ConsumptionTaxRow = {
  tax_category: string;
  name: string;
  /** Debit less credit of the lines on other accounts than the two of the tax. */
  net: bigint;
  /** Debit less credit of the lines on the two accounts of the tax. */
  tax: bigint;
  /** By code, those of the tax among them. */
  accounts: ConsumptionTaxAccount[];
};

/** What was sold and bought in each category of the consumption tax, and the tax on it. Signs are debit less credit. */
export function consumptionTax(input: ConsumptionTaxInput): { rows: ConsumptionTaxRow[] } {
  const { range, tax_category, lang } = input;
  const accounts = byCode(input.accounts);
  const asked = taxCategories.filter(({ code }) =>
    tax_category === undefined ? code !== 'O' : code === tax_category,
  );
  return {
    rows: asked.flatMap(({ code, name, name_en }) => {
      const figures = range.get(code);
      const row = figures && rowOf(accounts, figures, input.tax_account_ids, lang);
      if (!row || row.accounts.length === 0) return [];
      return [{ tax_category: code, name: lang === 'en' ? name_en : name, ...row }];
    }),
  };
}

function rowOf(
  accounts: readonly ReportAccount[],
  figures: FiguresByAccount,
  tax_account_ids: ReadonlySet<string>,
  lang: Language,
): Pick<ConsumptionTaxRow, 'net' | 'tax' | 'accounts'> {
  const row = { net: 0n, tax: 0n, accounts: [] as ConsumptionTaxAccount[] };
  for (const account of accounts) {
    const { debit, credit } = sumsOf(figures.get(account.id), movementGroups);
    if (debit === 0n && credit === 0n) continue;
    const balance = debit - credit;
    row[tax_account_ids.has(account.id) ? 'tax' : 'net'] += balance;
    row.accounts.push({ code: account.code, name: accountName(account, lang), debit, credit, balance });
  }
  return row;
}
