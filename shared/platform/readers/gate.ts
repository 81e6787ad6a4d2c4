/** Lets so many run at a time; the others wait in the order in which they came. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

/** A gate for `count` at a time. */
export function gateOf(count: number): Gate {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
