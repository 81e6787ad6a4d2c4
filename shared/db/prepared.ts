/** Most texts that one connection keeps prepared: each costs the server the memory of its plan. */
const MOST_PREPARED = 1_000;

/** Most texts remembered as used once, while a connection has no free name. */
const MOST_SEEN = 1_000;

/** What to do with a statement: the name to send it under, and the one to close first, where there is one. */
export type Naming = { name: string | undefined; evicted?: string };

/** The prepared statements of one connection. */
export type PreparedStatements = {
  /** The name of a statement's text; none for a text that is not worth preparing yet. */
  naming(text: string): Naming;
  /** How many are prepared now, and how many were closed to make room. */
  count(): { held: number; evicted: number };
};

/**
 * Chooses which texts a connection prepares: each is parsed and planned once there instead of at every use. When all
 * names are in use, a text is prepared at its second use and takes the place of the least recently used one: texts
 * that come once (a rare filter, a rare number of rows) evict nothing, and a hot one is always prepared in the end. A
 * name is never used again on its connection. `most` is the bound on prepared texts and on those seen once.
 */
export function preparedStatements(most = MOST_PREPARED): PreparedStatements {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let given = 0;
  let evictions = 0;

  function named(text: string): string {
    const name = `s${++given}`;
    names.set(text, name);
    return name;
  }

  return {
    naming(text) {
      const known = names.get(text);
      if (known !== undefined) {
        // A map keeps the order of insertion: the first entry is the least recently used one.
        names.delete(text);
        names.set(text, known);
        return { name: known };
      }
      if (names.size < most) return { name: named(text) };
      if (!seen.delete(text)) {
        seen.add(text);
        if (seen.size > Math.min(most, MOST_SEEN)) seen.delete(seen.values().next().value!);
        return { name: undefined };
      }
      const [oldest, evicted] = names.entries().next().value!;
      names.delete(oldest);
      evictions += 1;
      return { name: named(text), evicted };
    },
    count: () => ({ held: names.size, evicted: evictions }),
  };
}
