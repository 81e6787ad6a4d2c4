import type { TaxDisplayMode } from '../tax/breakdown.ts';
import type { TaxCategory } from '../tax/rates.ts';
import type { PrintColumns, PrintKind, PrintTax } from './model.ts';

/** What one kind of document says. */
export type KindWords = {
  title: string;
  /** The name of its number, and of the day on which it was issued. */
  number: string;
  issued: string;
  greeting: string;
  headline: string;
};

/** All words of the pages in one language. */
export type Words = {
  kinds: Record<PrintKind, KindWords>;
  draft: string;
  /** What a credit note may be called once its issuer is registered. */
  qualified_return: { title: string; subtitle: string | null };
  registration: string;
  transaction_date: string;
  transaction_period: string;
  valid_until: string;
  due: string;
  delivered: string;
  delivery_due: string;
  delivery_place: string;
  payment_terms: string;
  account: string;
  account_types: { ordinary: string; checking: string; savings: string };
  invoice: string;
  original_date: string;
  reason: string;
  subject: string;
  person: (name: string, position: string | null, courteous: boolean) => string;
  columns: Omit<PrintColumns, 'amount'> & { amount: Record<TaxDisplayMode, string> };
  mark: string;
  legend: string;
  /** A rate in a line and in the breakdown. */
  rate: (category: TaxCategory, percent: number) => string;
  rate_total: (category: TaxCategory, percent: number) => string;
  subtotal: string;
  tax: string;
  total: string;
  withholding: string;
  after_withholding: string;
  with_tax: string;
  withheld: string;
  breakdown_title: string;
  breakdown_heads: PrintTax;
  carried: { forward: string; brought: string };
  memo: string;
};
