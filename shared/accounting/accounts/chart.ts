import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccountType, CashFlowAdjustment, CashFlowClass, Section } from './kinds.ts';

/** An account that a new company begins with. */
export type ChartAccount = {
  code: string;
  name: string;
  name_en: string;
  account_type: AccountType;
  section: Section;
  tax_category: string;
  cf_class: CashFlowClass;
  cf_adjustment: CashFlowAdjustment | null;
};

let chart: readonly ChartAccount[] | undefined;

/** The 150 accounts that a Japanese company begins with, by code: the file beside this one. */
export function chartOfAccounts(): readonly ChartAccount[] {
  chart ??= read();
  return chart;
}

function read(): ChartAccount[] {
  const text = readFileSync(resolve(import.meta.dirname, 'chart-of-accounts.tsv'), 'utf8');
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line) => {
    const [code, name, name_en, account_type, section, tax_category, cf_class, cf_adjustment] = line.split(
      '\t',
    ) as [string, string, string, AccountType, Section, string, CashFlowClass, CashFlowAdjustment | ''];
    return {
      code,
      name,
      name_en,
      account_type,
      section,
      tax_category,
      cf_class,
      cf_adjustment: cf_adjustment || null,
    };
  });
}
