import type { Language } from '../../kernel/language.ts';
import { isProfitAndLoss } from '../accounts/kinds.ts';
import { balanceOf, type FiguresByAccount, movementGroups, natural, type ReportAccount } from './figures.ts';
import {
  bySection,
  type Layout,
  type StatementColumn,
  type StatementLine,
  stageName,
  statementLines,
  type View,
} from './statement-lines.ts';

/** The stages of the profit, with their Japanese names. */
export const stages = {
  net_sales: '売上高',
  gross_profit: '売上総利益',
  operating_income: '営業利益',
  ordinary_income: '経常利益',
  income_before_taxes: '税引前当期純利益',
  net_income: '当期純利益',
} as const;

export type Stage = keyof typeof stages;

export type Stages = Readonly<Record<Stage, bigint>>;

/** A month or department with what it moved in the range. */
export type IncomeColumn = StatementColumn & { range: FiguresByAccount };

export type IncomeStatementInput = {
  accounts: readonly ReportAccount[];
  range: FiguresByAccount;
  /** With `interval` or `group_by`: they make up the range. */
  columns?: readonly IncomeColumn[];
  /** The same days a year earlier; null where that is not asked for, or there is no such year. */
  previous?: FiguresByAccount | null;
  lang: Language;
};

export type IncomeStatement = { lines: StatementLine[]; columns: StatementColumn[]; stages: Stages };

const layout: Layout<Stage> = [
  'sales',
  'net_sales',
  'cost_of_sales',
  'gross_profit',
  'sga',
  'operating_income',
  'non_operating_income',
  'non_operating_expense',
  'ordinary_income',
  'extraordinary_income',
  'extraordinary_loss',
  'income_before_taxes',
  'income_taxes',
  'net_income',
];

/** The income statement of a range. Closing entries never count: they would take it to zero. */
export function incomeStatement(input: IncomeStatementInput): IncomeStatement {
  const { accounts, range, columns = [], previous = null, lang } = input;
  const earning = accounts.filter(({ account_type }) => isProfitAndLoss(account_type));
  const amount = incomeView(earning, range);
  const views = {
    amount,
    previous: previous && incomeView(earning, previous),
    columns: columns.map((column) => incomeView(earning, column.range)),
  };
  return {
    lines: statementLines(layout, earning, views, lang, (stage, of) =>
      stageName(stage, stages[stage], of, lang),
    ),
    columns: columns.map(({ key, name }) => ({ key, name })),
    stages: amount.totals,
  };
}

/** What accounts, sections and stages come to in a range. */
export function incomeView(accounts: readonly ReportAccount[], range: FiguresByAccount): View<Stage> {
  const amounts = new Map(
    accounts.map((account) => [
      account.id,
      natural(account, balanceOf(range.get(account.id), movementGroups)),
    ]),
  );
  const sums = bySection(accounts, amounts);
  const net_sales = sums.sales;
  const gross_profit = net_sales - sums.cost_of_sales;
  const operating_income = gross_profit - sums.sga;
  const ordinary_income = operating_income + sums.non_operating_income - sums.non_operating_expense;
  const income_before_taxes = ordinary_income + sums.extraordinary_income - sums.extraordinary_loss;
  const net_income = income_before_taxes - sums.income_taxes;
  return {
    accounts: amounts,
    sections: sums,
    totals: { net_sales, gross_profit, operating_income, ordinary_income, income_before_taxes, net_income },
  };
}
