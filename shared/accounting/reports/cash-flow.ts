import type { Language } from '../../kernel/language.ts';
import type { CashFlowAdjustment, CashFlowClass } from '../accounts/kinds.ts';
import { type KindGroup, kindGroups } from '../journals/kinds.ts';
import { type CashFlowKey, cashFlowLayout, cashFlowTotals } from './cash-flow-lines.ts';
import { balanceOf, movementGroups, type ReportAccount, type Spans } from './figures.ts';
import { incomeView, stages } from './income-statement.ts';
import { type StatementLine, stageName, totalName } from './statement-lines.ts';

export type CashFlowInput = { accounts: readonly ReportAccount[]; spans: Spans; lang: Language };

export type CashFlowStatement = {
  lines: StatementLine[];
  change: bigint;
  opening_cash: bigint;
  closing_cash: bigint;
  /** Whether the three totals add up to the change of cash. */
  balanced: boolean;
};

/**
 * The statement of cash flows by the indirect method. Each class of accounts stands in exactly one line, and what is taken
 * out of the profit is put in elsewhere: so the totals add up to the change of cash for any books that balance.
 */
export function cashFlowStatement({ accounts, spans, lang }: CashFlowInput): CashFlowStatement {
  const amounts = amountsOf(accounts, spans);
  const opening_cash = openingCash(accounts, spans);
  const change = -movedBy(accounts, spans, (account) => account.cf_class === 'cash');
  const totals = amounts.operating_total + amounts.investing_total + amounts.financing_total;
  return {
    lines: cashFlowLayout.map(([key, ja]) => lineOf(key, ja, amounts[key], lang)),
    change,
    opening_cash,
    closing_cash: opening_cash + change,
    balanced: totals === change,
  };
}

function amountsOf(accounts: readonly ReportAccount[], spans: Spans): Record<CashFlowKey, bigint> {
  const moved = (cf_class: CashFlowClass) =>
    movedBy(accounts, spans, (account) => account.cf_class === cf_class);
  const adjusted = (adjustment: CashFlowAdjustment) =>
    -movedBy(accounts, spans, (account) => account.cf_adjustment === adjustment);
  const income = incomeView(accounts, spans.range);
  const depreciation = adjusted('depreciation');
  const fixed_asset_result = adjusted('fixed_asset_result');
  const securities_result = adjusted('securities_result');
  const interest_received = -adjusted('interest_income');
  const interest_expense = adjusted('interest_expense');

  const beforeSubtotal = {
    income_before_taxes: income.totals.income_before_taxes,
    depreciation,
    allowance: moved('op_allowance'),
    interest_income: -interest_received,
    interest_expense,
    fixed_asset_result,
    securities_result,
    receivables: moved('op_receivable'),
    inventories: moved('op_inventory'),
    payables: moved('op_payable'),
    consumption_tax: moved('op_ctax'),
    other_assets: moved('op_other_asset'),
    other_liabilities: moved('op_other_liab'),
  };
  const operating = {
    subtotal: sum(beforeSubtotal),
    interest_received,
    interest_paid: -interest_expense,
    income_taxes_paid: moved('op_incometax') - income.sections.income_taxes,
  };
  const investing = {
    time_deposits: moved('invest_deposit'),
    securities: moved('invest_securities') - securities_result,
    fixed_assets: moved('invest_fixed') + moved('op_depreciation') - depreciation - fixed_asset_result,
    loans: moved('invest_loan'),
    other_investing: moved('invest_other'),
  };
  const financing = {
    borrowings: moved('fin_loan'),
    bonds_leases: moved('fin_bond') + moved('fin_lease'),
    equity: moved('fin_equity'),
    dividends: moved('fin_dividend') + moved('none'),
  };
  return {
    ...beforeSubtotal,
    ...operating,
    operating_total: sum(operating),
    ...investing,
    investing_total: sum(investing),
    ...financing,
    financing_total: sum(financing),
  };
}

/** Credit less debit of what accounts moved in the range. */
function movedBy(
  accounts: readonly ReportAccount[],
  { range }: Spans,
  counts: (account: ReportAccount) => boolean,
): bigint {
  let moved = 0n;
  for (const account of accounts) {
    if (counts(account)) moved -= balanceOf(range.get(account.id), movementGroups);
  }
  return moved;
}

/** Cash before the range, with the opening entries in it. */
function openingCash(accounts: readonly ReportAccount[], { earlier, before, range }: Spans): bigint {
  const opening: readonly KindGroup[] = ['opening'];
  let cash = 0n;
  for (const { id, cf_class } of accounts) {
    if (cf_class !== 'cash') continue;
    cash += balanceOf(earlier.get(id), kindGroups) + balanceOf(before.get(id), kindGroups);
    cash += balanceOf(range.get(id), opening);
  }
  return cash;
}

function sum(amounts: Readonly<Record<string, bigint>>): bigint {
  return Object.values(amounts).reduce((total, amount) => total + amount, 0n);
}

function lineOf(key: CashFlowKey, ja: string, amount: bigint, lang: Language): StatementLine {
  const is_total = cashFlowTotals.has(key);
  return {
    key,
    line_type: is_total ? 'total' : 'section',
    level: is_total ? 0 : 1,
    account_id: null,
    code: null,
    name:
      key === 'income_before_taxes' ? stageName(key, stages[key], amount, lang) : totalName(key, ja, lang),
    amount,
    previous: null,
    amounts: [],
  };
}
