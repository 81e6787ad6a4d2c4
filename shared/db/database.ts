import pg from 'pg';
import type { Connection } from '../kernel/connection.ts';
import { type ConnectionOptions, leaseOf, socketOf } from './connection.ts';
import { noticesBy } from './notices.ts';
import { isLost, unavailableBy, unavailableWithout } from './outage.ts';
import { type PreparedStatements, preparedStatements } from './prepared.ts';
import { types } from './types.ts';

/** The organization to name for what reads across organizations: credentials, the relay, sweeps. */
export const EVERY_ORGANIZATION = '*';

export type Database = {
  /**
   * Lends a connection until `run` has settled. When `signal` is aborted before, the connection is cut: its transaction
   * is rolled back, and what `run` still sends fails. Errors: `unavailable` when none can be had, and when the server refuses for want of
   * something, such as space on its disk.
   */
  withConnection<T>(
    organization_id: string,
    run: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** How many connections are open, idle, and how many callers wait for one. */
  use(): { open: number; idle: number; waiting: number };
  /** Statements that open connections hold prepared, and how many were closed to make room since the start. */
  prepared(): { held: number; evicted: number };
  /** Milliseconds since the server last answered this process; null while it answers. */
  silence(): number | null;
  end(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  pool_size: number;
  /**
   * Whether `url` leads to a pooler in transaction mode: it takes no settings at connecting and keeps none between
   * transactions, so each transaction carries the timeouts with its BEGIN. Not together with `judge_rows`.
   */
  through_pooler?: boolean;
  /** Milliseconds after which the server gives up a statement. */
  statement_timeout?: number;
  /** Milliseconds that a caller waits for a connection. */
  connection_timeout?: number;
  application_name?: string;
} & ConnectionOptions;

/** Milliseconds beyond the time of a statement after which a server that stays silent is taken to be gone. */
const SILENCE = 2_000;

/** Opens a pool of connections. It connects when first used, and again after the server was away. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statement_timeout = 30_000, connection_timeout = 5_000, through_pooler = false } = options;
  const timeouts = { statement_timeout, idle_in_transaction_session_timeout: 60_000 };
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.pool_size,
    connectionTimeoutMillis: connection_timeout,
    idleTimeoutMillis: 30_000,
    query_timeout: statement_timeout + SILENCE,
    keepAlive: true,
    ...(through_pooler ? {} : timeouts),
    application_name: options.application_name ?? 'business-operations',
    types,
    pipeline: true,
  } as pg.PoolConfig);
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  const { tell } = noticesBy(async (channel) => {
    const client = await pool.connect();
    // A client that fails here is replaced when it is lent next.
    await client.query('SELECT pg_notify($1, $2)', [channel, '']).finally(() => client.release());
  });
  const lease_options = { ...options, tell, ...(through_pooler && { transaction_timeouts: timeouts }) };
  const statements = new Map<pg.PoolClient, PreparedStatements>();
  let evicted_before = 0;
  const opened_at = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    opened_at.set(client, performance.now());
    client.on('error', () => undefined);
    statements.set(client, preparedStatements());
  });
  pool.on('remove', (client) => {
    evicted_before += statements.get(client)?.count().evicted ?? 0;
    statements.delete(client);
  });
  let doubted_at = 0;
  let silent_since: number | null = null;

  /** Lends a connection. When one was found lost, those that are as old are not tried one by one, but replaced. */
  async function lend(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((opened_at.get(client) ?? 0) >= doubted_at) return client;
      client.release(true);
    }
  }

  return {
    async withConnection(organization_id, run, signal) {
      const client = await lend().catch((cause) => {
        silent_since ??= performance.now();
        throw unavailableWithout(cause);
      });
      // A client that was removed in the same turn is broken, and says so at its first statement.
      const lease = leaseOf(client, statements.get(client) ?? preparedStatements(), lease_options);
      let lent = true;
      const giveBack = (broken: boolean) => {
        if (lent) client.release(broken);
        lent = false;
      };
      const cut = () => {
        socketOf(client).destroy();
        giveBack(true);
      };
      signal?.addEventListener('abort', cut, { once: true });
      try {
        signal?.throwIfAborted();
        lease.connection.actFor(organization_id);
        const result = await run(lease.connection);
        silent_since = null;
        return result;
      } catch (error) {
        const broken = isLost(error);
        if (broken) doubted_at = performance.now();
        if (broken) silent_since ??= doubted_at;
        lease.end();
        giveBack(broken);
        throw unavailableBy(error) ?? error;
      } finally {
        signal?.removeEventListener('abort', cut);
        lease.end();
        giveBack(false);
      }
    },
    use: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    prepared: () => {
      const counts = [...statements.values()].map((each) => each.count());
      return {
        held: counts.reduce((sum, { held }) => sum + held, 0),
        evicted: counts.reduce((sum, { evicted }) => sum + evicted, evicted_before),
      };
    },
    silence: () => (silent_since === null ? null : performance.now() - silent_since),
    end: () => pool.end(),
  };
}
