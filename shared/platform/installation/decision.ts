import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { currentInstallation, drawInstallation, lockInstallations } from './installation.ts';

/** `taken_over`: the original is gone and this installation replaces it. `separate`: the original continues beside it. */
export type Decision = 'taken_over' | 'separate';

/**
 * Writes what a restored installation is, and resumes its mails. Taken over, it removes the files that the original
 * made when nothing names them any more; separate, it never does. A later call may change the answer.
 * Errors: a StartupError where this installation was never restored.
 */
export async function decideInstallation(database: Database, decision: Decision, now: Date): Promise<void> {
  await changeInstallation(database, async (connection) => {
    if ((await currentInstallation(connection)) === null) await drawInstallation(connection, now);
    const [decided] = await connection.query<{ drawn_at: string }>(
      `UPDATE installations SET decision = $1, decided_at = $2
       WHERE id = current_installation() AND decision <> 'original' RETURNING drawn_at`,
      [decision, now.toISOString()],
    );
    if (!decided) throw new StartupError('This database was not restored: there is nothing to decide.');
    // A pause that an operator made in the original stays.
    await connection.query(
      `WITH resumed AS (DELETE FROM queue_pauses WHERE queue = 'email' AND paused_at = $1 RETURNING queue)
       SELECT pg_notify('outbox', '') FROM resumed`,
      [decided.drawn_at],
    );
  });
}

/**
 * Draws a new ID for a copy that `database_mark()` cannot tell from its original, such as a disk snapshot that was
 * started as a second server. Run before the first process of the copy. Answers the new ID.
 */
export async function renewInstallation(database: Database, now: Date): Promise<string> {
  return changeInstallation(database, async (connection) => {
    // The first ID of a database is that of an original, which a copy from before there were IDs is not.
    if ((await currentInstallation(connection)) === null) await drawInstallation(connection, now);
    return drawInstallation(connection, now);
  });
}

function changeInstallation<T>(
  database: Database,
  change: (connection: Connection) => Promise<T>,
): Promise<T> {
  return database.withConnection(EVERY_ORGANIZATION, (connection) =>
    transaction(connection, async (commit) => {
      await lockInstallations(connection);
      const result = await change(connection);
      await commit(Promise.resolve());
      return result;
    }),
  );
}
