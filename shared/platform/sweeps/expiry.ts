import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Text } from '../../kernel/language.ts';
import type { Sweep } from './sweep.ts';

/** Milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Rows removed by one statement: many would hold locks and write-ahead log for long. */
const BATCH = 5_000;

/** Which rows expire: those of `table` whose `column` is more than `age` milliseconds ago. */
export type Expiry = { table: string; column: string; age: number; every: number; description: Text };

/** A sweep that deletes expired rows. Its name is `expired_<table>`; an index begins with the column. */
export function expiry({ table, column, age, every, description }: Expiry): Sweep {
  const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
  return {
    name: `expired_${table}`,
    description,
    every,
    run: async (database, now, signal) => {
      const before = new Date(now.getTime() - age).toISOString();
      let total = 0;
      for (;;) {
        const count = await removed(database, text, before);
        total += count;
        if (count < BATCH || signal.aborted) return total;
      }
    },
  };
}

function removed(database: Database, text: string, before: string): Promise<number> {
  return database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    return (await connection.query(text, [before])).length;
  });
}
