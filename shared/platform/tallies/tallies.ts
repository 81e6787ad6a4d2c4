import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { reasonOf } from '../../kernel/reason.ts';

/** Something that is counted far more often than anybody reads it, such as views of a page. */
export type Tally = {
  name: string;
  /**
   * Adds counts to their rows; `$1` is a JSON array of `{ ...key, ...counts }`, in which no key stands twice. It takes its locks in
   * an order of the keys, since several processes run it at once.
   */
  add: string;
};

/** What a count belongs to: the members that name its row. */
export type TallyKey = Readonly<Record<string, string>>;

/** How much is added to each counter of a row. */
export type TallyCounts = Readonly<Record<string, number>>;

/** What a process has counted and not written yet. */
export type Tallies = {
  /** Counts, without waiting for anything. */
  count(tally: Tally, key: TallyKey, counts: TallyCounts): void;
  /** Writes what was counted before the call, by one statement for each tally. Errors: none; what fails is written later. */
  flush(): Promise<void>;
  /** Writes every few seconds from now on. */
  start(): void;
  /** Writes the rest, and no more after it. */
  end(): Promise<void>;
};

/** Milliseconds between two writes: with the time that one takes, readers lag less than ten seconds. */
export const TALLY_LAG = 4_000;

type Row = { key: TallyKey; counts: Record<string, number> };

/**
 * Counts in memory what would otherwise be a row lock a request. A process that is killed loses what it counted since its last
 * write, at most `TALLY_LAG`; one that ends in order loses nothing.
 */
export function talliesIn(database: Database, log: Pick<Logger, 'warn'>): Tallies {
  let held = new Map<Tally, Map<string, Row>>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function count(tally: Tally, key: TallyKey, counts: TallyCounts): void {
    const rows = held.get(tally) ?? new Map<string, Row>();
    held.set(tally, rows);
    const name = JSON.stringify(key);
    const row = rows.get(name) ?? { key, counts: {} };
    rows.set(name, row);
    for (const [counter, more] of Object.entries(counts)) {
      row.counts[counter] = (row.counts[counter] ?? 0) + more;
    }
  }

  async function write(): Promise<void> {
    const counted = held;
    held = new Map();
    for (const [tally, rows] of counted) {
      const values = [...rows.values()].map(({ key, counts }) => ({ ...key, ...counts }));
      try {
        await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
          query(tally.add, [JSON.stringify(values)]),
        );
      } catch (error) {
        log.warn({ tally: tally.name, reason: reasonOf(error) }, 'Counts are not written yet');
        for (const { key, counts } of rows.values()) count(tally, key, counts);
      }
    }
  }

  /** One after the other: what failed is in the next one. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    count,
    flush,
    start() {
      timer = setInterval(flush, TALLY_LAG).unref();
    },
    end() {
      clearInterval(timer);
      return flush();
    },
  };
}
