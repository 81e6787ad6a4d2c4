import Big from 'big.js';

/**
 * Where a deal stands on the board when nobody has placed it: below all older ones. Positions are exact decimals
 * as text; equal ones are told apart by the ID.
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
