import { divided, type TaxRounding } from '../../invoicing/tax/rounding.ts';
import type { TaxRow } from '../amounts/record.ts';
import type { InputTax } from '../documents/fields.ts';
import { type TaxRules, valueOn } from './rules.ts';

/** What input tax follows from beside the sums of the invoice. */
export type InputTaxContext = {
  rules: TaxRules;
  /** Whether the organization is small enough for the rule of small amounts. */
  small_amount_rule: boolean;
  /** How the fiscal year of a day rounds tax; null where no year holds it. */
  roundingOn: (day: string) => TaxRounding | null;
};

/** An invoice, as input tax is found of it. */
export type TaxedInvoice = {
  rows: readonly TaxRow[];
  qualified: boolean;
  deduction_basis: 'auto' | 'book_only';
};

/**
 * The deductible tax of an invoice. Of a qualified one the tax that is printed (Consumption Tax Act, article 30); of
 * another the tax within the gross, whatever is printed, by the share of each row's day (Act no. 15 of 2016, supplementary
 * provisions, articles 52 and 53), or all of it where the books suffice: by the reason given, or because the invoice is
 * small (article 53-2). Each tax and each deductible is rounded once, on its magnitude, and never up.
 */
export function inputTaxOf(invoice: TaxedInvoice, context: InputTaxContext): InputTax {
  const rows = invoice.rows.map((row) => inputTaxRow(row, invoice, context));
  const sum = (field: 'gross' | 'tax' | 'deductible') => rows.reduce((total, row) => total + row[field], 0n);
  const [gross, tax, deductible] = [sum('gross'), sum('tax'), sum('deductible')];
  return {
    basis: basisOf(invoice, context),
    tax: Number(tax),
    deductible: Number(deductible),
    non_deductible: Number(tax - deductible),
    expense: Number(gross - deductible),
    rows: rows.map((row) => ({
      ...row,
      gross: Number(row.gross),
      tax: Number(row.tax),
      deductible: Number(row.deductible),
    })),
  };
}

function inputTaxRow(row: TaxRow, invoice: TaxedInvoice, context: InputTaxContext) {
  const { tax_category, tax_rate, transaction_date, gross } = row;
  const share = shareOn(transaction_date, invoice, context);
  const only = { tax_category, tax_rate, transaction_date, gross, share };
  if (invoice.qualified) return { ...only, tax: row.tax, deductible: row.tax };
  const rounding = neverUp(context.roundingOn(transaction_date));
  const rate = BigInt(tax_rate);
  return {
    ...only,
    tax: divided(gross * rate, 100n + rate, rounding),
    deductible: divided(gross * rate * BigInt(share), (100n + rate) * 100n, rounding),
  };
}

/**
 * Tax that is taken from the books is cut or rounded half up, never rounded up (Consumption Tax Act Enforcement Order,
 * article 46(3)).
 */
function neverUp(rounding: TaxRounding | null): TaxRounding {
  return rounding === 'round' ? 'round' : 'floor';
}

/** The percent of the tax that an invoice lets deduct of what it charges for a day. */
export function shareOn(day: string, invoice: TaxedInvoice, context: InputTaxContext): number {
  const { qualified, deduction_basis } = invoice;
  if (qualified || deduction_basis === 'book_only' || isSmallOn(day, invoice, context)) return 100;
  return valueOn(context.rules.shares, day);
}

/** Whether the books suffice for what is charged for a day, for the whole invoice comes to little. */
function isSmallOn(
  day: string,
  { rows }: TaxedInvoice,
  { small_amount_rule, rules }: InputTaxContext,
): boolean {
  if (!small_amount_rule) return false;
  const total = rows.reduce((sum, { gross }) => sum + gross, 0n);
  const magnitude = total < 0n ? -total : total;
  return magnitude < BigInt(valueOn(rules.small_amounts, day));
}

function basisOf(invoice: TaxedInvoice, context: InputTaxContext): InputTax['basis'] {
  const days = invoice.rows
    .filter(({ tax_rate }) => tax_rate > 0)
    .map(({ transaction_date }) => transaction_date);
  if (days.every((day) => shareOn(day, invoice, context) === 0)) return 'none';
  if (invoice.qualified) return 'qualified';
  if (invoice.deduction_basis === 'book_only') return 'book_only';
  return days.some((day) => isSmallOn(day, invoice, context)) ? 'small_amount' : 'transitional';
}
