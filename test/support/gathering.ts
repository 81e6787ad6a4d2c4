import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { isAwaited, whileHeld } from './held.ts';
import { until } from './until.ts';

/** A database of one's own on which works that share their commit can be had to come together. */
export type GatheringDatabase = TestDatabase & {
  /** The statements that were sent since the last gathering began. */
  asked: () => readonly string[];
  /**
   * The results of calls that all come while the statement of the first one waits: nobody writes to `table` until the others have
   * read, so these wait to be written, and one statement for each hundred of them comes behind that of the first.
   */
  whileTheFirstWaits<T>(table: string, calls: readonly (() => Promise<T>)[]): Promise<T[]>;
};

export async function gatheringDatabase(): Promise<GatheringDatabase> {
  let asked: string[] = [];
  const own = await freshDatabase({ on_statement: (text) => asked.push(text) });
  // Connections that works for an organization have given back: one when they have read, one when they are written.
  let given_back = 0;
  const database: Database = {
    ...own.database,
    async withConnection(organization_id, run, signal) {
      try {
        return await own.database.withConnection(organization_id, run, signal);
      } finally {
        if (organization_id !== EVERY_ORGANIZATION) given_back += 1;
      }
    },
  };
  return {
    ...own,
    database,
    asked: () => asked,
    async whileTheFirstWaits(table, calls) {
      // That a key is used is noted once a minute, by a connection that would be counted.
      await own.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
        query("UPDATE api_keys SET last_used_at = now() + interval '1 hour'"),
      );
      asked = [];
      const [first, ...others] = calls;
      const sent = await whileHeld(own.database, table, async () => {
        const waiting = first!();
        await until('the first waits', () => isAwaited(own.database, table));
        const before = given_back;
        const gathering = others.map((call) => call());
        await until('the others have read', async () => given_back - before === others.length);
        return [waiting, ...gathering];
      });
      return Promise.all(sent);
    },
  };
}
