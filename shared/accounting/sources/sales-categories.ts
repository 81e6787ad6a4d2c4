import type { AccountMap } from '../settings/account-map.ts';

/** What lines of documents are taxed as, in the words of invoicing; each has its place for sales in the account map. */
export type SoldAs = keyof AccountMap['sales'];

/** A category of a document with its rate in percent. */
export type TaxedRate = { tax_category: SoldAs; tax_rate: number };

/** The codes by category and rate: of sales, then of their returns, which only taxed sales have of their own. */
const codes: Readonly<Record<SoldAs, Readonly<Record<number, readonly [sale: string, back: string]>>>> = {
  standard: { 10: ['S10', 'SR10'], 8: ['S8', 'SR8'] },
  reduced: { 8: ['S8R', 'SR8R'] },
  legacy_8: { 8: ['S8', 'SR8'] },
  zero_rated: { 0: ['SX', 'SX'] },
  exempt: { 0: ['SE', 'SE'] },
  out_of_scope: { 0: ['SN', 'SN'] },
};

/** The tax category of a sale at a rate; null for the rates before 2014, which have none. */
export function saleCategory({ tax_category, tax_rate }: TaxedRate): string | null {
  return codes[tax_category][tax_rate]?.[0] ?? null;
}

/** The tax category of what a credit note takes back at a rate; null for the rates before 2014. */
export function returnCategory({ tax_category, tax_rate }: TaxedRate): string | null {
  return codes[tax_category][tax_rate]?.[1] ?? null;
}
