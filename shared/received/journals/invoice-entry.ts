import { type Booking, type Books, booking, type Part } from '../../accounting/sources/booking.ts';
import type { TaxedRate } from '../../accounting/sources/sales-categories.ts';
import { lessWithholding, type Payables } from './payables.ts';
import { type PurchasedAs, type Purpose, purchaseCategory } from './purchase-categories.ts';
import { sharesOf } from './shares.ts';

/** A row of input tax, in yen: `share` is the deductible percent of its tax. */
export type PurchasedRow = PurchasedAs & { gross: bigint; deductible: bigint };

/** A line that is counted; without an account it is booked on `expense` of the map. */
export type PurchasedLine = Pick<TaxedRate, 'tax_category'> & {
  amount: bigint;
  account_id: string | null;
  purpose: Purpose;
};

/** A received invoice as its entry takes it. */
export type Purchase = {
  date: string;
  company_id: string | null;
  withholding_tax: bigint;
  rows: readonly PurchasedRow[];
  lines: readonly PurchasedLine[];
  /** Whether what is bought on an account is owed otherwise than for goods; null is `expense` of the map. */
  isOwedOtherwise: (account_id: string | null) => boolean;
};

/** What is booked on one account in one category. */
type Bought = { place: Part['place']; tax_category: string; expense: bigint };

/**
 * The entry of an approved received invoice: what each row costs and its deductible tax, over the accounts and purposes of
 * the lines of its category, against what is owed and what is withheld. Where books hold amounts with tax, what it costs is all.
 */
export function purchaseEntry(purchase: Purchase, books: Books): Booking {
  const { date, company_id, rows, withholding_tax } = purchase;
  const missing = new Map<number, TaxedRate>();
  const bought = new Map<string, Bought>();
  const taxes = new Map<string, bigint>();
  for (const row of rows) {
    const groups = groupsOf(row, purchase);
    const weights = groups.map(({ amount }) => amount);
    const deductible = books.tax_books === 'inclusive' ? 0n : row.deductible;
    const [expenses, deductibles] = [
      sharesOf(row.gross - deductible, weights),
      sharesOf(deductible, weights),
    ];
    for (const [index, { account_id, purpose }] of groups.entries()) {
      const tax_category = purchaseCategory(row, purpose);
      if (tax_category === null) {
        missing.set(row.tax_rate, { tax_category: row.tax_category, tax_rate: row.tax_rate });
        continue;
      }
      const key = `${tax_category} ${account_id}`;
      const place = account_id === null ? ('expense' as const) : { account_id };
      const before = bought.get(key)?.expense ?? 0n;
      bought.set(key, { place, tax_category, expense: before + expenses[index]! });
      taxes.set(tax_category, (taxes.get(tax_category) ?? 0n) + deductibles[index]!);
    }
  }
  if (missing.size > 0) return { outcome: 'no_tax_category', missing: [...missing.values()] };
  const costs = [...taxes].flatMap(([tax_category, tax]): Part[] => [
    ...[...bought.values()]
      .filter((each) => each.tax_category === tax_category)
      .map(({ place, expense }) => partOf(place, 'debit', expense, tax_category)),
    partOf('input_tax', 'debit', tax, tax_category),
  ]);
  const { payable, payable_other } = payablesOf(purchase);
  const owed = [
    partOf('payable', 'credit', payable),
    partOf('payable_other', 'credit', payable_other),
    partOf('withholding', 'credit', withholding_tax),
  ];
  return booking({ date, company_id, parts: [...costs, ...owed] }, books);
}

/** What is owed for a purchase, split as its gross is over accounts, less what is withheld. */
export function payablesOf(
  purchase: Pick<Purchase, 'withholding_tax' | 'rows' | 'lines' | 'isOwedOtherwise'>,
): Payables {
  let [payable, payable_other] = [0n, 0n];
  for (const row of purchase.rows) {
    const groups = groupsOf(row, purchase);
    const shares = sharesOf(
      row.gross,
      groups.map(({ amount }) => amount),
    );
    for (const [index, { account_id }] of groups.entries()) {
      if (purchase.isOwedOtherwise(account_id)) payable_other += shares[index]!;
      else payable += shares[index]!;
    }
  }
  return lessWithholding({ payable, payable_other }, purchase.withholding_tax);
}

/** What the lines of a row's category come to by account and purpose; a category without lines is for taxed sales. */
function groupsOf(
  { tax_category }: PurchasedRow,
  { lines }: Pick<Purchase, 'lines'>,
): Omit<PurchasedLine, 'tax_category'>[] {
  const groups = new Map<string, Omit<PurchasedLine, 'tax_category'>>();
  for (const line of lines) {
    if (line.tax_category !== tax_category) continue;
    const { account_id, purpose, amount } = line;
    const key = `${purpose} ${account_id}`;
    groups.set(key, { account_id, purpose, amount: amount + (groups.get(key)?.amount ?? 0n) });
  }
  return groups.size > 0 ? [...groups.values()] : [{ account_id: null, purpose: 'taxable', amount: 0n }];
}

function partOf(place: Part['place'], side: Part['side'], amount: bigint, tax_category = 'O'): Part {
  return { place, side, amount: Number(amount), tax_category };
}
