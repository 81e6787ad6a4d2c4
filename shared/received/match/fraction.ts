/** An exact number: `numerator / denominator`, the latter above 0. Prices without tax are seldom decimals. */
export type Fraction = { numerator: bigint; denominator: bigint };

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };

/** A plain decimal ("-12.5") or a whole number, exactly. Throws for any other text, which the schemas refuse. */
export function fraction(value: string | number | bigint): Fraction {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  if (whole === '') throw new Error(`${value} is not a plain decimal`);
  const numerator = BigInt(whole + decimals);
  return reduced(sign ? -numerator : numerator, 10n ** BigInt(decimals.length));
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { numerator: -b.numerator, denominator: b.denominator });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function magnitude({ numerator, denominator }: Fraction): Fraction {
  return { numerator: numerator < 0n ? -numerator : numerator, denominator };
}

/** Whether `a` is more than `b`. */
export function exceeds(a: Fraction, b: Fraction): boolean {
  return a.numerator * b.denominator > b.numerator * a.denominator;
}

/** Decimals of what has no end: a millionth of a yen is beyond all that prices and quantities can differ by. */
const DECIMALS = 6;

/** The shortest decimal text: exact where there is one, else rounded half up on the magnitude to six decimals. */
export function decimalText(value: Fraction): string {
  const { numerator, denominator } = magnitude(value);
  const places = decimalPlaces(denominator) ?? DECIMALS;
  const scaled = (numerator * 10n ** BigInt(places) * 2n + denominator) / (denominator * 2n);
  const digits = scaled.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const decimals = digits.slice(digits.length - places).replace(/0+$/, '');
  const sign = value.numerator < 0n && scaled > 0n ? '-' : '';
  return `${sign}${whole}${decimals && `.${decimals}`}`;
}

/** How many decimals a fraction in lowest terms has; null where they have no end. */
function decimalPlaces(denominator: bigint): number | null {
  let [rest, twos, fives] = [denominator, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
