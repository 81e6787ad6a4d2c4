import type { Knex } from 'knex';

/**
 * One connection to the database, held by one request or job at a time. Statements that are sent without waiting
 * for the answer of the one before travel together and are answered in order.
 */
export type Connection = {
  /** Begins a query, of a table's rows or of what it is given later. It runs on this very connection where it is awaited. */
  from(table?: string): Knex.QueryBuilder;
  /** The same for models, which want all of Knex: to make one takes the time of ten queries. */
  readonly knex: Knex;
  /** What all connections to this database have in common. */
  readonly pool: object;
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
  /** Whether a transaction is under way: one was opened, and a statement was sent that does not stand alone. */
  hasBegun(): boolean;
  /** Ends the transaction. After a failed statement COMMIT rolls back without an error of its own. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Has those who listen on a channel told once the transaction has committed; what begins the next forgets it. */
  announce(channel: string): void;
  /** Tells what was announced. Whoever commits calls it when all of it stands. */
  tellAnnounced(): void;
  /** Names the organization that the following statements are for; row-level security, where forced, reads it. */
  actFor(organization_id: string): void;
};
