/** What was used of a grant: half-days, and hours. */
export type Used = { halves: number; hours: number };

/** What is left of a grant: half-days that are whole yet, and hours of a day that was opened. */
export type Left = Used;

/** Days as half-days, in which all is counted: 1.5 days are 3. */
export function halvesOf(days: number): number {
  return days * 2;
}

/** Half-days as days. */
export function daysOfHalves(halves: number): number {
  return halves / 2;
}

/** A grant of which nothing was taken yet. */
export function roomOf(days: number): Left {
  return { halves: halvesOf(days), hours: 0 };
}

/**
 * What is left after half-days and hours were taken, or null where there is less. A day is opened for hours when no
 * opened one has any left; a last half-day opens as half the hours, up (Labour Standards Act art. 39(4)).
 */
export function leftAfter(left: Left, { halves, hours }: Used, hours_per_day: number): Left | null {
  let rest: Left = { halves: left.halves - halves, hours: left.hours };
  if (rest.halves < 0) return null;
  while (rest.hours < hours) {
    if (rest.halves === 0) return null;
    const opened = Math.min(rest.halves, 2);
    const more = opened === 2 ? hours_per_day : Math.ceil(hours_per_day / 2);
    rest = { halves: rest.halves - opened, hours: rest.hours + more };
  }
  return { halves: rest.halves, hours: rest.hours - hours };
}

/** What is left of a grant after uses in the order in which they were taken, or null where they do not fit. */
export function leftOf(days: number, uses: readonly Used[], hours_per_day: number): Left | null {
  return uses.reduce<Left | null>((left, use) => left && leftAfter(left, use, hours_per_day), roomOf(days));
}

/** The hours of a working day as leave counts them: its minutes in hours, up. */
export function hoursPerDay(minutes: number): number {
  return Math.ceil(minutes / 60);
}
