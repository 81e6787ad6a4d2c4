import type { MapOf } from '../settings/account-map.ts';
import { type LineValues, splitTax, type TaxRules } from '../tax/auto-tax.ts';
import { accountAt, type Place } from './places.ts';
import type { TaxedRate } from './sales-categories.ts';

/** What the books say about the entry of a source: their accounts, and the rules of the fiscal year of its date. */
export type Books = TaxRules & { account_map: MapOf<string | null> };

/** A line of the entry of a source, on an account of the map. */
export type SourceLine = LineValues & { account_id: string };

/**
 * What becomes of a source: its entry, none where all amounts are 0, or a refusal. A rate has no category, or the map
 * has no account at places that the entry needs.
 */
export type Booking =
  | { outcome: 'entry'; date: string; lines: SourceLine[] }
  | { outcome: 'nothing_to_post' }
  | { outcome: 'no_tax_category'; missing: TaxedRate[] }
  | { outcome: 'account_map_incomplete'; missing: Place[] };

/** An amount on a place of the map or an account of its own, in yen; a negative one stands on the other side. */
export type Part = {
  place: Place | { account_id: string };
  side: 'debit' | 'credit';
  amount: number;
  tax_category: string;
  /** Whether the amount is one with tax, which is split off. */
  auto_tax?: boolean;
  /** Whose the line is where it is not the source's company's; null: nobody's, as what is owed to somebody else. */
  company_id?: string | null | undefined;
};

/** A source as its entry takes it; every line carries the company, unless it is said not to. */
type Source = { date: string; company_id: string | null; parts: readonly Part[] };

/** The entry of these parts, in their order. Parts of 0 make no line and need no account. */
export function booking({ date, company_id, parts }: Source, { account_map, ...rules }: Books): Booking {
  const planned = parts
    .filter(({ amount }) => amount !== 0)
    .flatMap((part) => {
      const line = lineOf(part, part.company_id === undefined ? company_id : part.company_id);
      return part.auto_tax ? splitTax(line, rules) : [line];
    });
  if (planned.length === 0) return { outcome: 'nothing_to_post' };
  const missing = new Set<Place>();
  const lines = planned.flatMap(({ place, ...line }): SourceLine[] => {
    if (typeof place !== 'string') return [{ ...line, ...place }];
    const account_id = accountAt(account_map, place);
    if (account_id === null) missing.add(place);
    return account_id === null ? [] : [{ account_id, ...line }];
  });
  if (missing.size > 0) return { outcome: 'account_map_incomplete', missing: [...missing] };
  return { outcome: 'entry', date, lines };
}

function lineOf({ place, side, amount, tax_category }: Part, company_id: string | null) {
  const isDebit = (side === 'debit') === amount > 0;
  const magnitude = Math.abs(amount);
  const line: LineValues & Pick<Part, 'place'> = {
    place,
    debit: isDebit ? magnitude : 0,
    credit: isDebit ? 0 : magnitude,
    tax_category,
    company_id,
    department_id: null,
    description: null,
  };
  return line;
}
