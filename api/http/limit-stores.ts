import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';

/** What a process took from a bucket of a window (its end in milliseconds) since its last settlement. */
export type Use = { key: string; window_ends_at: number; count: number };

/** Where the processes tell each other what they took. */
export type LimitStore = {
  /** Adds the uses and answers what all processes took, by key. */
  settle(uses: readonly Use[]): Promise<ReadonlyMap<string, number>>;
  end(): Promise<void>;
};

/** One unlogged table; ended windows are swept by the workers. */
export function tableStore(database: Database): LimitStore {
  return {
    async settle(uses) {
      // In one order in every process, so that two settlements wait for each other instead of in a circle.
      const ordered = uses.toSorted((left, right) => (left.key < right.key ? -1 : 1));
      const rows = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
        query<{ bucket: string; used: number }>(
          `INSERT INTO rate_limits AS known (bucket, window_ends_at, used)
           SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::bigint[])
           ON CONFLICT (bucket, window_ends_at) DO UPDATE SET used = known.used + excluded.used
           RETURNING bucket, used`,
          [
            ordered.map(({ key }) => key),
            ordered.map(({ window_ends_at }) => new Date(window_ends_at).toISOString()),
            ordered.map(({ count }) => count),
          ],
        ),
      );
      return new Map(rows.map(({ bucket, used }) => [bucket, used]));
    },
    end: async () => undefined,
  };
}
