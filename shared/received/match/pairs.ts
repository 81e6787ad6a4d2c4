import { normalise } from '../../platform/search/normalise.ts';

/** What tells which line of an order another line answers. */
export type PairedBy = {
  /** The line of the order that it names itself. */
  purchase_order_line_id: string | null;
  item_code: string | null;
  description: string;
  unit: string | null;
};

export type OrderedBy = Omit<PairedBy, 'purchase_order_line_id'> & { id: string };

/**
 * By the place of a line in its document, the line of the order that it answers: the one that it names, else one of its
 * item code, else one of its description and unit, all folded. A line of the order is found once in a document; only lines
 * that name it can be several. What is certain comes first, so no guess takes a line from another that has its code.
 */
export function pairsOf<Ordered extends OrderedBy>(
  lines: readonly PairedBy[],
  order: readonly Ordered[],
): Map<number, Ordered> {
  const byId = new Map(order.map((line) => [line.id, line]));
  const pairs = new Map<number, Ordered>();
  for (const [place, { purchase_order_line_id }] of lines.entries()) {
    const named = purchase_order_line_id === null ? undefined : byId.get(purchase_order_line_id);
    if (named) pairs.set(place, named);
  }
  for (const keyOf of [codeOf, descriptionOf]) {
    const taken = new Set([...pairs.values()].map(({ id }) => id));
    const free = Map.groupBy(
      order.filter(({ id }) => !taken.has(id)),
      keyOf,
    );
    for (const [place, line] of lines.entries()) {
      const key = keyOf(line);
      const found = pairs.has(place) || key === null ? undefined : free.get(key)?.shift();
      if (found) pairs.set(place, found);
    }
  }
  return pairs;
}

function codeOf({ item_code }: OrderedBy | PairedBy): string | null {
  return item_code === null ? null : normalise(item_code) || null;
}

function descriptionOf({ description, unit }: OrderedBy | PairedBy): string {
  return JSON.stringify([normalise(description), normalise(unit ?? '')]);
}
