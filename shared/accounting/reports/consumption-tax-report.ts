import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report, ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { findAccountingSettings } from '../settings/queries.ts';
import { type ConsumptionTaxRow, consumptionTax } from './consumption-tax.ts';
import { withoutClosing } from './figures.ts';
import { paperState, reportHead } from './paper.ts';
import { reportAccounts } from './read-accounts.ts';
import { readFigures } from './read-figures.ts';

/** The report on consumption tax that is asked for, with the revision of the books that it is of. */
export async function readConsumptionTax(
  reader: Reader,
  { from = '', to = '', tax_category }: AskedReport,
  lang: Language,
): Promise<{ rows: ConsumptionTaxRow[]; books_revision: number }> {
  const [{ parts, books_revision }, accounts, { account_map }] = await Promise.all([
    readFigures(reader, { spans: { range: { from, to } }, part: 'tax_category', filter: { tax_category } }),
    reportAccounts(reader),
    findAccountingSettings(reader),
  ]);
  const tax_accounts = [account_map.input_tax, account_map.output_tax].filter((id) => id !== null);
  const made = consumptionTax({
    accounts,
    range: new Map([...parts].map(([code, { range }]) => [code, withoutClosing(range)])),
    tax_account_ids: new Set(tax_accounts),
    ...(tax_category !== undefined && { tax_category }),
    lang,
  });
  return { books_revision, ...made };
}

const yen = (name: string, ja: string, en: string): ReportColumn => {
  return { name, kind: 'yen', title: { ja, en }, width: 28 };
};

const columns: readonly ReportColumn[] = [
  { name: 'tax_category', kind: 'text', title: { ja: '税区分', en: 'Category' }, width: 20 },
  { name: 'name', kind: 'text', title: { ja: '税区分名', en: 'Name' }, width: 46 },
  { name: 'account_code', kind: 'text', title: { ja: 'コード', en: 'Code' }, width: 18 },
  { name: 'account_name', kind: 'text', title: { ja: '科目', en: 'Account' }, width: 46 },
  yen('debit', '借方', 'Debit'),
  yen('credit', '貸方', 'Credit'),
  yen('balance', '差引', 'Balance'),
];

async function* rowsOf(rows: readonly ConsumptionTaxRow[]): AsyncGenerator<ReportRow, void, void> {
  for (const { tax_category, name, accounts } of rows) {
    for (const { code, name: account_name, debit, credit, balance } of accounts) {
      const figures = [debit, credit, balance].map(String);
      yield { type: 'line', cells: [tax_category, name, code, account_name, ...figures] };
    }
  }
}

/** 消費税集計表: what was sold and bought in each category, and the tax on it. */
export const consumptionTaxReport: Report = {
  name: 'accounting.consumption_tax',
  scope: 'accounting:read',
  title: { ja: '消費税集計表', en: 'Consumption tax' },
  columns: () => columns,
  head: reportHead,
  async state(reader, asked) {
    const { account_map } = await findAccountingSettings(reader);
    const { revision, accounts } = await paperState(reader, asked, [account_map]);
    return { revision, lines: accounts };
  },
  async *rows(reader, asked, language) {
    yield* rowsOf((await readConsumptionTax(reader, asked, language)).rows);
  },
};
