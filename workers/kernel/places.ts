/** Places of which only so many are taken at a time, in the order in which they were asked for, urgent ones first. */
export type Places = {
  /** Resolves to true once a place is taken, to false when the places are closed. */
  take(is_urgent: boolean): Promise<boolean>;
  give(): void;
  /** Turns away who waits, and who asks until `open`. */
  close(): void;
  open(): void;
};

/** So many places, all of them free. */
export function placesOf(count: number): Places {
  const urgent: ((is_taken: boolean) => void)[] = [];
  const others: ((is_taken: boolean) => void)[] = [];
  let free = count;
  let closed = false;
  return {
    take: async (is_urgent) => {
      if (closed) return false;
      if (free === 0) return new Promise((answer) => (is_urgent ? urgent : others).push(answer));
      free -= 1;
      return true;
    },
    give: () => {
      const next = urgent.shift() ?? others.shift();
      if (next) next(true);
      else free += 1;
    },
    close: () => {
      closed = true;
      for (const answer of [...urgent.splice(0), ...others.splice(0)]) answer(false);
    },
    open: () => {
      closed = false;
    },
  };
}
