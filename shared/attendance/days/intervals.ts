/** Minutes from `start` to before `end`. Lists of intervals are in order and do not overlap. */
export type Interval = { start: number; end: number };

/** How many minutes some intervals have. */
export function lengthOf(intervals: readonly Interval[]): number {
  let sum = 0;
  for (const { start, end } of intervals) sum += end - start;
  return sum;
}

/** How many minutes of some intervals lie between two. */
export function lengthWithin(intervals: readonly Interval[], from: number, to: number): number {
  let sum = 0;
  for (const { start, end } of intervals) sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  return sum;
}

/** What some intervals have in common with others. */
export function intersect(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const common: Interval[] = [];
  for (const one of some) {
    for (const other of others) {
      const start = Math.max(one.start, other.start);
      const end = Math.min(one.end, other.end);
      if (start < end) common.push({ start, end });
    }
  }
  return common;
}

/** What is left of some intervals without others, which may overlap among themselves. */
export function subtract(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  let left = [...some];
  for (const { start, end } of others) {
    if (start >= end || !left.some((one) => one.start < end && start < one.end)) continue;
    const next: Interval[] = [];
    for (const one of left) {
      if (one.end <= start || end <= one.start) next.push(one);
      else {
        if (one.start < start) next.push({ start: one.start, end: start });
        if (end < one.end) next.push({ start: end, end: one.end });
      }
    }
    left = next;
  }
  return left;
}

/** The first minutes of some intervals, at most so many. */
export function firstMinutes(intervals: readonly Interval[], count: number): Interval[] {
  const first: Interval[] = [];
  let left = count;
  for (const { start, end } of intervals) {
    if (left <= 0) break;
    const taken = Math.min(end - start, left);
    if (taken > 0) first.push({ start, end: start + taken });
    left -= taken;
  }
  return first;
}

/** Some intervals without their first minutes. */
export function withoutFirst(intervals: readonly Interval[], count: number): Interval[] {
  return subtract(intervals, firstMinutes(intervals, count));
}

/** In order of time. */
export function inOrder(intervals: readonly Interval[]): Interval[] {
  return intervals.toSorted((one, other) => one.start - other.start);
}
