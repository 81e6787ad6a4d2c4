/** Draws that follow from a seed alone. */
export type Draws = ReturnType<typeof drawsOf>;

/** A sequence of draws (xorshift, 32 bits). */
export function drawsOf(seed: number) {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) | 1;

  function below(limit: number): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * limit);
  }

  const chance = (of_hundred: number): boolean => below(100) < of_hundred;
  const among = <Each>(list: readonly Each[]): Each => list[below(list.length)]!;
  return {
    /** A whole number from 0, below the limit. */
    below,
    chance,
    among,
    /** From `least` to `most`, both included. */
    between: (least: number, most: number): number => least + below(most - least + 1),
    /** As many of these as come up, in their order. */
    some: <Each>(list: readonly Each[]): Each[] => list.filter(() => chance(50)),
    /** The members, each at its chance of a hundred. */
    members: (made: Record<string, [of_hundred: number, value: () => unknown]>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(made).flatMap(([name, [of_hundred, value]]) =>
          chance(of_hundred) ? [[name, value()]] : [],
        ),
      ),
  };
}
