import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { until } from './until.ts';

/** Keeps everybody from writing to a table, though not from reading it, until `run` has settled. */
export async function whileHeld<T>(database: Database, table: string, run: () => Promise<T>): Promise<T> {
  return database.withConnection('*', (connection) =>
    transaction(connection, async () => {
      // It may take a busy machine longer than the minute after which the server would end this connection.
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await connection.query(`LOCK TABLE ${table} IN SHARE MODE`);
      return run();
    }),
  );
}

/** Waits until somebody waits for what another one holds. */
export async function somebodyWaits(database: Database): Promise<void> {
  await until('somebody waits', async () => {
    const rows = await database.withConnection('*', ({ query }) =>
      query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
      ),
    );
    return rows.length > 0;
  });
}

/** Whether somebody waits for a table: told also where one may not see what others do. */
export async function isAwaited(database: Database, table: string): Promise<boolean> {
  const waiting = await database.withConnection('*', ({ query }) =>
    query(
      `SELECT FROM pg_locks JOIN pg_database AS own ON own.oid = pg_locks.database
        WHERE datname = current_database() AND relation = $1::regclass AND NOT granted LIMIT 1`,
      [table],
    ),
  );
  return waiting.length > 0;
}

/** Where a change is made beside calls that are under way. */
type Beside = { database: Database; organization_id: string };

/**
 * Sends a call while a change is made that it does not see yet, and commits the change once the call waits for it: so what the
 * call has judged by is no longer true when it commits.
 */
export async function overtaken<T>(
  { database, organization_id }: Beside,
  change: (connection: Connection) => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  const [sent] = await database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await change(connection);
      const sending = send();
      // Whoever waits for nobody, and is refused at once, is told of below.
      sending.catch(() => undefined);
      await somebodyWaits(database);
      await commit(Promise.resolve());
      return [sending];
    }),
  );
  return sent!;
}
