import Big from 'big.js';
import type { TaxCategory } from '../tax/rates.ts';

/**
 * A line of an invoice, or of a credit note of it, as far as crediting goes; quantity and price are exact decimals.
 * `source_line_id` of a credit note's line is the line that it takes back.
 */
export type CreditableLine = {
  id: string;
  type: 'item' | 'text';
  quantity: string | null;
  unit_price: string | null;
  tax_category: TaxCategory | null;
  tax_rate: number | null;
  withholding: boolean;
  amount: bigint | null;
  source_line_id: string | null;
};

/** A line of which something may still be credited: `taken` of its quantity was, `open` is left; both signed as it. */
export type OpenLine<Line> = { line: Line; taken: string; open: string };

/**
 * What is left to credit of an invoice, given the lines of its credit notes: of every line the quantity that no note
 * took. A reduction that names no line stands against the invoice as a whole, so it is left as a line of the opposite
 * quantity; thus whatever is left adds up, with what was credited, to the invoice. Texts are left until a note has
 * them; lines that are taken whole are not there.
 */
export function openLines<Line extends CreditableLine>(
  invoice: readonly Line[],
  credited: readonly Line[],
): OpenLine<Line>[] {
  const bySource = Map.groupBy(credited, ({ source_line_id }) => source_line_id);
  const unnamed = (bySource.get(null) ?? []).filter(({ type }) => type === 'item').map(opposite);
  return [...invoice, ...unnamed].flatMap((line) => {
    const takers = bySource.get(line.id) ?? [];
    if (line.type === 'text') return takers.length > 0 ? [] : [{ line, taken: '0', open: '0' }];
    const taken = takers.reduce((sum, { quantity }) => sum.plus(quantity ?? '0'), new Big(0));
    const open = new Big(line.quantity ?? '0').minus(taken);
    return open.eq(0) ? [] : [{ line, taken: taken.toFixed(), open: open.toFixed() }];
  });
}

/** Whether a quantity may be taken of what is open: in its direction, and no more. */
export function isOpen(quantity: string, open: string): boolean {
  const [wanted, left] = [new Big(quantity), new Big(open)];
  return wanted.times(left).gt(0) && wanted.abs().lte(left.abs());
}

/** The sum of two exact decimals. */
export function plus(one: string, other: string): string {
  return new Big(one).plus(other).toFixed();
}

function opposite<Line extends CreditableLine>(line: Line): Line {
  const quantity = new Big(line.quantity ?? '0').times(-1).toFixed();
  return { ...line, quantity, amount: -(line.amount ?? 0n) };
}
