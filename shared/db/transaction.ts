import type { Connection } from '../kernel/connection.ts';
import { isOvertaken, isTransient } from './constraint.ts';

/** How often a transaction that lost against another one is run again. */
const ATTEMPTS = 4;

/**
 * Runs `run` in a transaction. BEGIN travels with the first statement; whoever finishes sends COMMIT itself with its
 * last rows (`commit`), so that they make one trip. What `run` throws rolls everything back.
 */
export async function transaction<T>(
  connection: Connection,
  run: (commit: (last: Promise<void>) => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let committed = false;
    connection.begin();
    try {
      const result = await run(async (last) => {
        last.catch(() => undefined);
        const committing = connection.commit();
        committing.catch(() => undefined);
        // After a failed statement COMMIT rolls back without an error: the statement's own error is the answer.
        await last;
        await committing;
        committed = true;
        connection.tellAnnounced();
      });
      if (!committed) await connection.rollback();
      return result;
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      if (attempt >= ATTEMPTS || !(isTransient(error) || isOvertaken(error))) throw error;
    }
  }
}
