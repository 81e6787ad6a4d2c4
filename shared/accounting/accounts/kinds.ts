/** What kinds of account there are, and what the statements and the cash flow take them for. */

export const accountTypes = ['asset', 'liability', 'equity', 'revenue', 'expense'] as const;

export type AccountType = (typeof accountTypes)[number];

/** The sections of the statements in their printed order, each of one type, with the class of cash flow of its accounts. */
export const sections = {
  cash: section('asset', 'cash', '現金及び預金', 'Cash and deposits'),
  trade_receivables: section('asset', 'op_receivable', '売上債権', 'Trade receivables'),
  securities: section('asset', 'invest_securities', '有価証券', 'Securities'),
  inventory: section('asset', 'op_inventory', '棚卸資産', 'Inventories'),
  other_current_assets: section('asset', 'op_other_asset', 'その他流動資産', 'Other current assets'),
  tangible_fixed: section('asset', 'invest_fixed', '有形固定資産', 'Property, plant and equipment'),
  intangible_fixed: section('asset', 'invest_fixed', '無形固定資産', 'Intangible assets'),
  investments: section('asset', 'invest_other', '投資その他の資産', 'Investments and other assets'),
  deferred_assets: section('asset', 'op_other_asset', '繰延資産', 'Deferred assets'),
  trade_payables: section('liability', 'op_payable', '仕入債務', 'Trade payables'),
  current_liabilities: section('liability', 'op_other_liab', 'その他流動負債', 'Other current liabilities'),
  noncurrent_liabilities: section('liability', 'fin_loan', '固定負債', 'Non-current liabilities'),
  capital: section('equity', 'fin_equity', '資本金', 'Share capital'),
  capital_surplus: section('equity', 'fin_equity', '資本剰余金', 'Capital surplus'),
  retained_earnings: section('equity', 'fin_dividend', '利益剰余金', 'Retained earnings'),
  treasury_shares: section('equity', 'fin_equity', '自己株式', 'Treasury shares'),
  sales: section('revenue', 'pl', '売上高', 'Net sales'),
  cost_of_sales: section('expense', 'pl', '売上原価', 'Cost of sales'),
  sga: section('expense', 'pl', '販売費及び一般管理費', 'Selling, general and administrative expenses'),
  non_operating_income: section('revenue', 'pl', '営業外収益', 'Non-operating income'),
  non_operating_expense: section('expense', 'pl', '営業外費用', 'Non-operating expenses'),
  extraordinary_income: section('revenue', 'pl', '特別利益', 'Extraordinary income'),
  extraordinary_loss: section('expense', 'pl', '特別損失', 'Extraordinary losses'),
  income_taxes: section('expense', 'pl', '法人税等', 'Income taxes'),
} as const;

export type Section = keyof typeof sections;

export const sectionNames = Object.keys(sections) as [Section, ...Section[]];

/** The section of an account that names none and has no parent. */
export const defaultSections: Readonly<Record<AccountType, Section>> = {
  asset: 'other_current_assets',
  liability: 'current_liabilities',
  equity: 'retained_earnings',
  revenue: 'sales',
  expense: 'sga',
};

/** What the movements of an account are in the statement of cash flows. */
export const cashFlowClasses = [
  'pl',
  'cash',
  'op_receivable',
  'op_allowance',
  'op_inventory',
  'op_other_asset',
  'op_payable',
  'op_other_liab',
  'op_ctax',
  'op_incometax',
  'op_depreciation',
  'invest_deposit',
  'invest_securities',
  'invest_fixed',
  'invest_loan',
  'invest_other',
  'fin_loan',
  'fin_bond',
  'fin_lease',
  'fin_equity',
  'fin_dividend',
  'none',
] as const;

export type CashFlowClass = (typeof cashFlowClasses)[number];

/** What of the profit the statement of cash flows takes out and shows elsewhere. */
export const cashFlowAdjustments = [
  'depreciation',
  'fixed_asset_result',
  'securities_result',
  'interest_income',
  'interest_expense',
] as const;

export type CashFlowAdjustment = (typeof cashFlowAdjustments)[number];

/** Whether accounts of this type make up the profit of a year, and begin each year at zero. */
export function isProfitAndLoss(type: AccountType): boolean {
  return type === 'revenue' || type === 'expense';
}

/** The side on which an account of this type grows. */
export function normalSide(type: AccountType): 'debit' | 'credit' {
  return type === 'asset' || type === 'expense' ? 'debit' : 'credit';
}

/** Whether an account of this type may have this class: `pl` is for profit and loss alone, `cash` for assets. */
export function allowsClass(type: AccountType, cf_class: CashFlowClass): boolean {
  if (isProfitAndLoss(type) !== (cf_class === 'pl')) return false;
  return cf_class !== 'cash' || type === 'asset';
}

function section<Type extends AccountType>(type: Type, cf_class: CashFlowClass, ja: string, en: string) {
  return { type, cf_class, name: { ja, en } };
}
