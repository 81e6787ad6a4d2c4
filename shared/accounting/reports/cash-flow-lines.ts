/** The lines of the statement of cash flows in print order, with their Japanese names. */
export const cashFlowLayout = [
  ['income_before_taxes', '税引前当期純利益'],
  ['depreciation', '減価償却費'],
  ['allowance', '貸倒引当金の増減額'],
  ['interest_income', '受取利息及び受取配当金'],
  ['interest_expense', '支払利息'],
  ['fixed_asset_result', '固定資産売却損益・除却損・減損'],
  ['securities_result', '有価証券売却損益'],
  ['receivables', '売上債権の増減額'],
  ['inventories', '棚卸資産の増減額'],
  ['payables', '仕入債務の増減額'],
  ['consumption_tax', '未払(未収)消費税等の増減額'],
  ['other_assets', 'その他の資産の増減額'],
  ['other_liabilities', 'その他の負債の増減額'],
  ['subtotal', '小計'],
  ['interest_received', '利息及び配当金の受取額'],
  ['interest_paid', '利息の支払額'],
  ['income_taxes_paid', '法人税等の支払額'],
  ['operating_total', '営業活動CF'],
  ['time_deposits', '定期預金の増減額'],
  ['securities', '有価証券の取得・売却'],
  ['fixed_assets', '固定資産の取得・売却'],
  ['loans', '貸付金の増減額'],
  ['other_investing', 'その他'],
  ['investing_total', '投資活動CF'],
  ['borrowings', '借入金の増減額'],
  ['bonds_leases', '社債・リース債務の増減額'],
  ['equity', '株式の発行・自己株式'],
  ['dividends', '配当金の支払額'],
  ['financing_total', '財務活動CF'],
] as const;

export type CashFlowKey = (typeof cashFlowLayout)[number][0];

/** The lines that add others up. */
export const cashFlowTotals: ReadonlySet<CashFlowKey> = new Set<CashFlowKey>([
  'subtotal',
  'operating_total',
  'investing_total',
  'financing_total',
]);
