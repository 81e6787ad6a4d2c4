import Big from 'big.js';

/**
 * Where a deal stands on the board when nobody has placed it: below all older ones. Positions are exact decimals
 * as text; equal ones are ordered by the ID.
 */
export function firstPosition(now: Date): string {
  return String(now.getTime());
}

/**
 * A position between two neighbours, null for the edge of the board: the shortest decimal in the middle, so that
 * positions stay short however often deals are placed. Equal neighbours answer their own position.
 */
export function positionBetween(above: string | null, below: string | null): string {
  if (above === null && below === null) return '0';
  if (above === null) return new Big(below!).round(0, Big.roundDown).minus(1).toFixed();
  if (below === null) return new Big(above).round(0, Big.roundUp).plus(1).toFixed();
  const [low, high] = [new Big(above), new Big(below)];
  const middle = low.plus(high).times('0.5');
  for (let decimals = 0; ; decimals += 1) {
    const candidate = middle.round(decimals, Big.roundDown);
    if (candidate.gt(low) && candidate.lt(high)) return candidate.toFixed();
    if (candidate.eq(middle)) return middle.toFixed();
  }
}

/** Below the last deal of a stage, and below all that were made before `now`. */
export function bottomPosition(last: string | null, now: Date): string {
  const first = firstPosition(now);
  if (last === null) return first;
  const next = positionBetween(last, null);
  return new Big(next).gt(first) ? next : first;
}

/** Places may become this close, and their decimals this long, before neighbours are moved apart. */
const CLOSEST = new Big('0.000001');
const MOST_DECIMALS = 12;

/** Whether a position really stands between its neighbours and is short enough to be kept. */
export function isGoodPosition(position: string, above: string | null, below: string | null): boolean {
  const exact = new Big(position);
  if (above !== null && exact.lte(above)) return false;
  if (below !== null && exact.gte(below)) return false;
  return (position.split('.')[1] ?? '').length <= MOST_DECIMALS;
}

/** `count` positions evenly between two others, null for the edge of the board; null when these are too close. */
export function positionsBetween(above: string | null, below: string | null, count: number): string[] | null {
  const places = Array.from({ length: count }, (_, index) => index + 1);
  if (above === null || below === null) {
    const edge = new Big(positionBetween(above, below)).minus(above === null ? count - 1 : 0);
    return places.map((place) => edge.plus(place - 1).toFixed());
  }
  const step = new Big(below).minus(above).div(count + 1);
  if (step.lt(CLOSEST)) return null;
  let decimals = 0;
  while (step.lt(new Big(2).times(new Big(10).pow(-decimals)))) decimals += 1;
  return places.map((place) =>
    new Big(above).plus(step.times(place)).round(decimals, Big.roundDown).toFixed(),
  );
}

export type Placed = { id: string; position: string };

/** The order of the board: by position, then by ID. */
export function standsBelow(one: Placed, other: Placed): boolean {
  const order = new Big(one.position).cmp(other.position);
  return order === 0 ? one.id > other.id : order > 0;
}
