/** Places of which only so many are taken at a time, in the order in which they were asked for, urgent ones first. */
export type Places = {
  /** Resolves to true once a place is taken, to false when the places are closed. */
  take(is_urgent: boolean): Promise<boolean>;
  give(): void;
  /** Turns away who waits, and who asks until `open`. */
  close(): void;
  open(): void;
};

/** So many places, all of them free, and as many more as there are at the moment: asked when one is taken or given. */
export function placesOf(count: number, more: () => number = () => 0): Places {
  const urgent: ((is_taken: boolean) => void)[] = [];
  const others: ((is_taken: boolean) => void)[] = [];
  let taken = 0;
  let closed = false;
  return {
    take: async (is_urgent) => {
      if (closed) return false;
      if (taken >= count + more()) return new Promise((answer) => (is_urgent ? urgent : others).push(answer));
      taken += 1;
      return true;
    },
    give: () => {
      taken -= 1;
      for (const most = count + more(); taken < most; taken += 1) {
        const next = urgent.shift() ?? others.shift();
        if (!next) return;
        next(true);
      }
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
