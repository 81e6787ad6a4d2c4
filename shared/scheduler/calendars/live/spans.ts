/** From one instant to before another, in milliseconds since 1970. */
export type Span = { start: number; end: number };

/** What is left of spans without others. */
export function withoutSpans(spans: readonly Span[], removed: readonly Span[]): Span[] {
  let left = [...spans];
  for (const { start, end } of removed) {
    left = left.flatMap((span) =>
      [
        { start: span.start, end: Math.min(span.end, start) },
        { start: Math.max(span.start, end), end: span.end },
      ].filter((part) => part.start < part.end),
    );
  }
  return left;
}
