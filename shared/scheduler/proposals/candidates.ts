/** Times between which a guest may choose. Instants are milliseconds since 1970. */
export type Span = { start: number; end: number };

const MINUTE = 60_000;

/** The candidates of starts, each as long as the proposal says, in the order of their starts. */
export function spansOf(starts: readonly number[], duration_minutes: number): Span[] {
  return starts
    .toSorted((one, other) => one - other)
    .map((start) => ({ start, end: start + duration_minutes * MINUTE }));
}

/**
 * What some spans occupy together: those that overlap or touch are one. Candidates of one proposal may overlap, since one of
 * them is chosen, and the database refuses two rows of a host that do.
 */
export function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Whether two spans share an instant. Touching ones do not, and one whose end is not after its start shares none. */
export function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end && one.start < one.end && other.start < other.end;
}

/** The candidates that nothing is in the way of and that have not begun. */
export function freeOf(candidates: readonly Span[], blocks: readonly Span[], now: number): Span[] {
  return candidates.filter(
    (candidate) => candidate.start >= now && !blocks.some((block) => overlap(candidate, block)),
  );
}
