import type { Connection } from '../../kernel/connection.ts';
import type { Text } from '../../kernel/language.ts';

/** Something that operators see as a number of the whole installation, at /ops and at /metrics. */
export type Measure = {
  /** Of the number at /metrics; that of the age is `<name>_oldest_seconds`. */
  name: string;
  /** How the page calls it. */
  title: Text;
  help: string;
  unit: 'count' | 'bytes';
  /** What the age of the oldest is counted from; absent where nothing has an age. */
  age?: Text;
  /**
   * Answers one row of all organizations: `value`, and with `age` `oldest_at`, null where there is none. It looks at a
   * bounded number of rows through an index, or at one row an organization.
   */
  query: string;
  /** What to tell operators while it is more than nothing, before all else on their first page; absent where that troubles nobody. */
  alarm?: Alarm;
};

/** A number that wants an operator: `bad` now, `warn` today. */
export type Alarm = { tone: 'bad' | 'warn'; title: (value: number) => Text; sentence: Text; path: string };

/** A measure as it was found. */
export type Measured = { measure: Measure; value: number; oldest_at: string | null };

/** What is counted at the most: more is told as this. */
export const MOST_COUNTED = 10_000;

/** The query of a measure that counts rows of a table; `since` is the column that the index has behind the condition. */
export function countOldest(table: string, condition: string, since: string): string {
  return `SELECT count(*)::int AS value, min(since) AS oldest_at
    FROM (SELECT ${since} AS since FROM ${table} WHERE ${condition} ORDER BY ${since} LIMIT ${MOST_COUNTED}) AS oldest`;
}

/** Reads the measures on one connection, in their order. */
export function readMeasures(connection: Connection, measures: readonly Measure[]): Promise<Measured[]> {
  return Promise.all(
    measures.map(async (measure) => {
      const [row] = await connection.query<{ value: number; oldest_at?: string | null }>(measure.query);
      return { measure, value: row!.value, oldest_at: row!.oldest_at ?? null };
    }),
  );
}

/** Seconds since the oldest; 0 where there is none. */
export function ageOf({ oldest_at }: Measured, now: Date): number {
  return oldest_at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(oldest_at)) / 1000);
}
