/** For whom a file is to be stored, the first word of its key (`uploads`, `jobs`), and when the key is asked for. */
export type Place = { organization_id: string; area: string; now: Date };

/** Keys that are committed before the files that will have them: a small file then waits for no commit before its own. */
export type LooseKeys = {
  /** A key whose row is committed, for one file. Errors: those of `make`. */
  take(place: Place): Promise<string>;
};

/** Milliseconds in which keys that were made together are used. */
const LASTS = 10 * 60_000;

/** Files of a place within that time that each make their key for themselves: most callers send no more. */
const FEW = 8;

/** Keys that are made together at most. */
const MOST = 64;

/** Places that are remembered; beyond, all are forgotten, and their keys with them. */
const PLACES = 1_000;

type Stock = {
  began_at: number;
  /** Keys that were asked for since then. */
  asked: number;
  /** What was made and not taken yet. */
  keys: string[];
  making: Promise<void> | null;
};

/**
 * Keys of one process. Where files follow each other, as many are made at once as were asked for in the last minutes: so at
 * most as many stay unused as were used, and go with the sweep a day later. `make` commits the rows of so many keys, which the
 * first `few` of a place get one by one.
 */
export function looseKeys(make: (place: Place, count: number) => Promise<string[]>, few = FEW): LooseKeys {
  const stocks = new Map<string, Stock>();

  function stockOf({ organization_id, area, now }: Place): Stock {
    const name = `${organization_id}/${area}`;
    const known = stocks.get(name);
    if (known && now.getTime() < known.began_at + LASTS) return known;
    if (stocks.size >= PLACES) stocks.clear();
    const stock: Stock = { began_at: now.getTime(), asked: 0, keys: [], making: null };
    stocks.set(name, stock);
    return stock;
  }

  async function refill(stock: Stock, place: Place): Promise<void> {
    stock.keys.push(...(await make(place, Math.min(stock.asked, MOST))));
  }

  return {
    async take(place) {
      const stock = stockOf(place);
      stock.asked += 1;
      if (stock.asked <= few) return (await make(place, 1))[0]!;
      for (;;) {
        const key = stock.keys.pop();
        if (key !== undefined) return key;
        stock.making ??= refill(stock, place).finally(() => {
          stock.making = null;
        });
        await stock.making;
      }
    },
  };
}
