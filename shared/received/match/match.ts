import type { TaxDisplayMode } from '../../invoicing/tax/breakdown.ts';
import type { OrderMatch } from '../documents/fields.ts';
import {
  decimalText,
  exceeds,
  type Fraction,
  fraction,
  magnitude,
  minus,
  plus,
  times,
  ZERO,
} from './fraction.ts';
import { type OrderedBy, type PairedBy, pairsOf } from './pairs.ts';

type MatchLine = OrderMatch['lines'][number];
type MatchCode = MatchLine['codes'][number];

/** A line with its price in the mode of its document; `tax_rate` in percent. */
export type PricedLine = {
  quantity: string;
  unit_price: string;
  tax_rate: number;
};

export type OrderLine = OrderedBy & PricedLine;
export type BilledLine = PairedBy & PricedLine & { amount: number };

/** Percent by which quantities and prices may be off. */
export type Tolerance = { quantity_percent: number | string; price_percent: number | string };

/** Units by the line of the order. */
export type Units = ReadonlyMap<string, Fraction>;

export type MatchInput = {
  match_mode: 'three_way' | 'two_way';
  tax_display_mode: TaxDisplayMode;
  /** The lines of the invoice of type item. */
  lines: readonly BilledLine[];
  /** The sums that are printed without a line: nothing says what they are for. */
  unlined: readonly { net: number; gross: number }[];
  order: { tax_display_mode: TaxDisplayMode; lines: readonly OrderLine[] };
  /** On confirmed delivery notes. */
  accepted: Units;
  /** On other invoices, approved or paid. */
  before: Units;
  tolerance: Tolerance;
};

/**
 * Compares an invoice with the order and with what was accepted of it. In unlike modes all prices, and with them the
 * difference, are without tax. A line of the order that the invoice does not charge has no codes: what others charged too
 * much of it is told with them.
 */
export function matchOf(input: MatchInput): OrderMatch {
  const { order, lines, accepted, before } = input;
  const areAlike = input.tax_display_mode === order.tax_display_mode;
  const priceIn = (mode: TaxDisplayMode) => (line: PricedLine) =>
    areAlike ? fraction(line.unit_price) : withoutTax(fraction(line.unit_price), line.tax_rate, mode);
  const [billedPrice, orderedPrice] = [priceIn(input.tax_display_mode), priceIn(order.tax_display_mode)];
  const pairs = pairsOf(lines, order.lines);
  const places = Map.groupBy(lines.keys(), (place) => pairs.get(place)?.id ?? null);
  let difference = ZERO;
  const matched = order.lines.map((line): MatchLine => {
    const own = (places.get(line.id) ?? []).map((place) => lines[place]!);
    const units = {
      ordered: fraction(line.quantity),
      accepted: accepted.get(line.id) ?? ZERO,
      before: before.get(line.id) ?? ZERO,
      now: own.map(({ quantity }) => fraction(quantity)).reduce(plus, ZERO),
    };
    const price = orderedPrice(line);
    const prices = own.map((billed) => ({ units: fraction(billed.quantity), price: billedPrice(billed) }));
    if (own.length > 0) difference = plus(difference, differenceOf(units, price, prices, input));
    const codes = own.length === 0 ? [] : codesOf(units, price, prices, input);
    return shownLine(line.id, units, codes);
  });
  for (const place of places.get(null) ?? []) {
    const billed = lines[place]!;
    const amount = amountOf(billed, areAlike, input.tax_display_mode);
    difference = plus(difference, amount);
    const units = { ordered: ZERO, accepted: ZERO, before: ZERO, now: fraction(billed.quantity) };
    matched.push(shownLine(null, units, billed.amount < 0 ? [] : ['not_ordered']));
  }
  for (const { net, gross } of input.unlined) {
    const isGross = areAlike && input.tax_display_mode === 'inclusive';
    difference = plus(difference, fraction(isGross ? gross : net));
    const units = { ordered: ZERO, accepted: ZERO, before: ZERO, now: fraction(1) };
    matched.push(shownLine(null, units, gross < 0 ? [] : ['not_ordered']));
  }
  const isMismatch = matched.some(({ codes }) => codes.length > 0);
  const isExact = difference.numerator === 0n;
  const status = isMismatch ? 'mismatch' : isExact ? 'matched' : 'within_tolerance';
  return { status, lines: matched, difference: decimalText(difference) };
}

type LineUnits = Record<'ordered' | 'accepted' | 'before' | 'now', Fraction>;
type Billed = { units: Fraction; price: Fraction };

function codesOf(
  units: LineUnits,
  ordered_price: Fraction,
  billed: readonly Billed[],
  input: MatchInput,
): MatchCode[] {
  const codes: MatchCode[] = [];
  const { quantity_percent, price_percent } = input.tolerance;
  const within = raisedBy(quantity_percent);
  if (exceeds(overOf(units, times(units.ordered, within)), ZERO)) codes.push('over_ordered');
  if (input.match_mode === 'three_way' && exceeds(overOf(units, times(units.accepted, within)), ZERO)) {
    codes.push('over_accepted');
  }
  const most = times(magnitude(ordered_price), percent(price_percent));
  if (billed.some(({ price }) => exceeds(magnitude(minus(price, ordered_price)), most))) codes.push('price');
  return codes;
}

/** Units too many at the highest price that is charged, and what each unit costs more or less than ordered, in yen. */
function differenceOf(
  units: LineUnits,
  ordered_price: Fraction,
  billed: readonly Billed[],
  { match_mode }: MatchInput,
): Fraction {
  const bounds = match_mode === 'three_way' ? [units.ordered, units.accepted] : [units.ordered];
  const over = bounds.map((bound) => overOf(units, bound)).reduce(larger, ZERO);
  const highest = billed.map(({ price }) => price).reduce(larger);
  const side = isReturn(units) ? fraction(-1) : fraction(1);
  const tooMany = times(times(over, side), highest);
  return billed.reduce(
    (total, { units: charged, price }) => plus(total, times(minus(price, ordered_price), charged)),
    tooMany,
  );
}

/** Units charged so far beyond a bound; of a line that is ordered below 0, beyond it on that side. */
function overOf(units: LineUnits, bound: Fraction): Fraction {
  const charged = plus(units.before, units.now);
  return isReturn(units) ? minus(bound, charged) : minus(charged, bound);
}

function isReturn({ ordered }: LineUnits): boolean {
  return ordered.numerator < 0n;
}

function larger(a: Fraction, b: Fraction): Fraction {
  return exceeds(b, a) ? b : a;
}

function percent(value: number | string): Fraction {
  return times(fraction(value), { numerator: 1n, denominator: 100n });
}

function raisedBy(value: number | string): Fraction {
  return plus(fraction(1), percent(value));
}

function withoutTax(price: Fraction, tax_rate: number, mode: TaxDisplayMode): Fraction {
  if (mode === 'exclusive') return price;
  return times(price, { numerator: 100n, denominator: BigInt(100 + tax_rate) });
}

function amountOf(line: BilledLine, areAlike: boolean, mode: TaxDisplayMode): Fraction {
  return areAlike ? fraction(line.amount) : withoutTax(fraction(line.amount), line.tax_rate, mode);
}

function shownLine(
  purchase_order_line_id: string | null,
  { ordered, accepted, before, now }: LineUnits,
  codes: MatchCode[],
): MatchLine {
  return {
    purchase_order_line_id,
    ordered: decimalText(ordered),
    accepted: decimalText(accepted),
    before: decimalText(before),
    now: decimalText(now),
    codes,
  };
}
