/** An invoice that is still to be paid; `balance` in whole yen. */
export type OpenInvoice = {
  id: string;
  number: string | null;
  balance: number;
  issue_date: string;
  due_date: string | null;
};

/** Invoices that one transfer may pay together, as a search for sums goes. */
export const MOST_TOGETHER = 4;

/** Open invoices of a company that are looked at, those due first: the search is bounded by them. */
export const MOST_OPEN = 40;

/** Sums of a company that are kept. */
const MOST_FOUND = 20;

/**
 * Fees of transfers that payers take off where we bear them, in yen with tax: those of large and net banks, at the counter,
 * at machines and online, to the same and to other banks.
 */
export const usualFees = [
  110, 145, 150, 154, 160, 165, 220, 229, 275, 330, 385, 440, 484, 490, 495, 550, 600, 605, 660, 715, 770,
  825, 880, 990,
] as const;

/** Some invoices whose balances are what came in and a fee together. */
export type Sum = { invoices: OpenInvoice[]; fee_amount: number };

/**
 * Up to `most` of the first 40 invoices that come to an amount, or to one with a usual fee; fewer invoices first, then the
 * smaller fee, then those that are due first. At most 20.
 */
export function sumsOf(amount: number, open: readonly OpenInvoice[], most: number): Sum[] {
  const fees = new Map<number, number>([0, ...usualFees].map((fee) => [amount + fee, fee]));
  const largest = amount + usualFees.at(-1)!;
  const invoices = open.slice(0, MOST_OPEN).filter(({ balance }) => balance > 0 && balance <= largest);
  const found: Sum[] = [];
  for (let count = 1; count <= most; count += 1) {
    const sums: Sum[] = [];
    collect(invoices, { count, from: 0, sum: 0, largest, fees, chosen: [] }, sums);
    found.push(...sums.sort((one, other) => one.fee_amount - other.fee_amount));
    if (found.length >= MOST_FOUND) break;
  }
  return found.slice(0, MOST_FOUND);
}

type Search = {
  count: number;
  from: number;
  sum: number;
  largest: number;
  fees: ReadonlyMap<number, number>;
  chosen: readonly OpenInvoice[];
};

function collect(
  invoices: readonly OpenInvoice[],
  { count, from, sum, largest, fees, chosen }: Search,
  sums: Sum[],
): void {
  for (let at = from; at < invoices.length && sums.length < 10 * MOST_FOUND; at += 1) {
    const invoice = invoices[at]!;
    const after = sum + invoice.balance;
    if (after > largest) continue;
    if (count > 1) {
      const next = {
        count: count - 1,
        from: at + 1,
        sum: after,
        largest,
        fees,
        chosen: [...chosen, invoice],
      };
      collect(invoices, next, sums);
      continue;
    }
    const fee_amount = fees.get(after);
    if (fee_amount !== undefined) sums.push({ invoices: [...chosen, invoice], fee_amount });
  }
}

/** What comes in pays of invoices in their order, each up to its balance; what exceeds them all is left. */
export function paidInOrder(
  amount: number,
  open: readonly OpenInvoice[],
): { invoice: OpenInvoice; amount: number }[] {
  const paid: { invoice: OpenInvoice; amount: number }[] = [];
  let left = amount;
  for (const invoice of open.slice(0, MOST_OPEN)) {
    if (left === 0) break;
    const part = Math.min(left, invoice.balance);
    if (part > 0) paid.push({ invoice, amount: part });
    left -= Math.max(part, 0);
  }
  return paid;
}
