import {
  firstMinutes,
  type Interval,
  inOrder,
  intersect,
  lengthOf,
  subtract,
  withoutFirst,
} from './intervals.ts';

/** Labour Standards Act art. 34: 45 minutes of break over six hours of work, 60 over eight. */
const SIX_HOURS = 360;
const EIGHT_HOURS = 480;

/** How much break so many worked minutes ask for (art. 34). */
export function breakOwed(worked: number): number {
  if (worked > EIGHT_HOURS) return 60;
  return worked > SIX_HOURS ? 45 : 0;
}

/** `auto_schedule`: what sessions and the schedule's breaks have in common. */
export function breaksOfSchedule(sessions: readonly Interval[], breaks: readonly Interval[]): Interval[] {
  return intersect(sessions, breaks);
}

/**
 * `auto_statutory`: the least break with which sessions satisfy article 34, pauses between them (`gap`) counted. It lies
 * where the schedule's breaks are, from their start; what does not fit there begins with the 361st minute of the sessions.
 */
export function statutoryBreaks(
  sessions: readonly Interval[],
  breaks: readonly Interval[],
  gap: number,
): Interval[] {
  const length = leastBreak(lengthOf(sessions), gap);
  if (length === 0) return [];
  const placed = firstMinutes(intersect(sessions, breaks), length);
  const rest = length - lengthOf(placed);
  if (rest === 0) return placed;
  const later = subtract(withoutFirst(sessions, SIX_HOURS), placed);
  return inOrder([...placed, ...firstMinutes(later, rest)]);
}

/** The least b with b + gap >= what `length` - b worked minutes ask for. */
function leastBreak(length: number, gap: number): number {
  const suffices = (b: number) => b >= 0 && b + gap >= breakOwed(length - b);
  const least = [0, 45 - gap, 60 - gap, length - EIGHT_HOURS, length - SIX_HOURS].filter(suffices);
  return Math.min(...least);
}
