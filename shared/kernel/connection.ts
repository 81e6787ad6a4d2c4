import type { Knex } from 'knex';

/**
 * One connection to the database, held by one request or job at a time. Statements that are sent without waiting
 * for the answer of the one before travel together and are answered in order.
 */
export type Connection = {
  /** Builds and runs queries on this very connection. */
  readonly knex: Knex;
  /**
   * Runs SQL with `$1`-style values and answers the rows. `prepared: false` plans it anew each time, for searches
   * whose best plan depends on the value. `alone: true` says that the statement needs no transaction around it: where
   * that has not begun yet, it does not begin with it.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: { prepared?: boolean; alone?: boolean },
  ): Promise<Row[]>;
  /** Opens a transaction; BEGIN travels with its first statement, and one that stands alone needs none. */
  begin(): void;
  /**
   * Runs statements, which `run` must send without waiting between, in a transaction of their own before the one that
   * has been opened begins; in that one, where it has begun. The former is not waited for to reach the disk: it does
   * so no later than what this connection commits next.
   */
  ahead<T>(run: () => Promise<T>): Promise<T>;
  /** Ends the transaction. After a failed statement COMMIT rolls back without an error of its own. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Names the organization that the following statements are for; row-level security, where forced, reads it. */
  actFor(organization_id: string): void;
};
