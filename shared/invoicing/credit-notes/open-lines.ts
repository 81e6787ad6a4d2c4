import Big from 'big.js';
import type { DocumentLine } from '../documents/line.ts';

/** A line and the document that it stands on. */
export type PlacedLine = DocumentLine & { document_id: string };

/** A line of which something may still be credited: `taken` of its quantity was, `open` is left; both signed as it. */
export type OpenLine = { line: PlacedLine; taken: string; open: string };

/**
 * What is left to credit of an invoice, given the lines of its credit notes, whose `source_line_id` is the line that
 * they take back: of every line the quantity that no note took. A reduction that names no line stands against the
 * invoice as a whole, so it is left as a line of the opposite quantity; thus whatever is left adds up, with what was
 * credited, to the invoice. Texts are left until a note has them; lines that are taken whole are not there.
 */
export function openLines(invoice: readonly PlacedLine[], credited: readonly PlacedLine[]): OpenLine[] {
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

/** What is left of a line after `quantity` of it; null where that is more than was open, or the other way. */
export function openAfter({ line, taken, open }: OpenLine, quantity: string): OpenLine | null {
  const [wanted, left] = [new Big(quantity), new Big(open)];
  if (wanted.times(left).lte(0) || wanted.abs().gt(left.abs())) return null;
  return { line, taken: wanted.plus(taken).toFixed(), open: left.minus(wanted).toFixed() };
}

function opposite(line: PlacedLine): PlacedLine {
  return { ...line, quantity: new Big(line.quantity ?? '0').times(-1).toFixed() };
}
