/** Passes a message on unless it said the same within the last so many milliseconds: an outage is not a thousand lines. */
export function warnOnceInAWhile(
  say: (reason: string) => void,
  clock: () => Date,
  silence = 30_000,
): (reason: string) => void {
  const said = new Map<string, number>();
  return (reason) => {
    const now = clock().getTime();
    if (Math.abs(now - (said.get(reason) ?? Number.NEGATIVE_INFINITY)) < silence) return;
    if (said.size > 100) said.clear();
    said.set(reason, now);
    say(reason);
  };
}
