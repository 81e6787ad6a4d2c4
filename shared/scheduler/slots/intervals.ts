/**
 * Minutes from `start` to before `end`, since 1970 in UTC. Lists of intervals are in order, and neither overlap nor touch,
 * unless it is said otherwise: so each operation walks over its lists once.
 */
export type Interval = { start: number; end: number };

/** Some intervals in any order as a list: those that overlap or touch become one, empty ones are left out. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const list: Interval[] = [];
  for (const { start, end } of intervals.toSorted((one, other) => one.start - other.start)) {
    const last = list.at(-1);
    if (start >= end) continue;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else list.push({ start, end });
  }
  return list;
}

/** What lies in some minutes of one list at least, of any number that are added; so each is walked over once. */
export function union(within: Interval): {
  add: (list: readonly Interval[]) => void;
  whole: () => Interval[];
} {
  const { start: first, end } = within;
  // How many lists more there are from each minute on than before it.
  const changes = new Int32Array(end - first + 1);
  const placeOf = (minute: number) => Math.min(Math.max(minute, first), end) - first;
  return {
    add(list) {
      for (const one of list) {
        changes[placeOf(one.start)]! += 1;
        changes[placeOf(one.end)]! -= 1;
      }
    },
    whole() {
      const list: Interval[] = [];
      let lists = 0;
      for (const [place, change] of changes.entries()) {
        const before = lists;
        lists += change;
        if (before === 0 && lists > 0) list.push({ start: first + place, end });
        if (before > 0 && lists === 0) list.at(-1)!.end = first + place;
      }
      return list;
    },
  };
}

/** What two lists have in common. */
export function common(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const list: Interval[] = [];
  let next = 0;
  for (const one of some) {
    while (next < others.length && others[next]!.end <= one.start) next += 1;
    for (let at = next; at < others.length && others[at]!.start < one.end; at += 1) {
      const other = others[at]!;
      list.push({ start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) });
    }
  }
  return list;
}

/** What is left of a list without another one. */
export function without(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const list: Interval[] = [];
  let next = 0;
  for (const one of some) {
    while (next < others.length && others[next]!.end <= one.start) next += 1;
    let { start } = one;
    for (let at = next; at < others.length && others[at]!.start < one.end; at += 1) {
      if (others[at]!.start > start) list.push({ start, end: others[at]!.start });
      start = others[at]!.end;
    }
    if (start < one.end) list.push({ start, end: one.end });
  }
  return list;
}

/** Whether one interval of a list contains all minutes from one to before another. */
export function contains(list: readonly Interval[], start: number, end: number): boolean {
  const after = firstIndex(list.length, (index) => list[index]!.end > start);
  return after < list.length && list[after]!.start <= start && end <= list[after]!.end;
}

/** The first index below a count for which something holds that, once it holds, holds for all later ones; or the count. */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
