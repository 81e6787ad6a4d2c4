import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import pg from 'pg';
import type { Connection } from '../kernel/connection.ts';
import type { PreparedStatements } from './prepared.ts';

/** Milliseconds after which the server itself ends what takes too long; 0 means no limit. */
export type Timeouts = { statement_timeout: number; idle_in_transaction_session_timeout: number };

export type ConnectionOptions = {
  /** Names the organization on each connection, for a role under which row-level security is forced. */
  judge_rows?: boolean;
  /** Is told every statement before it is sent: for looking at its plan. */
  on_statement?: (text: string, values: readonly unknown[]) => void;
};

export type LeaseOptions = ConnectionOptions & {
  /** Tells those who listen on a channel. */
  tell?: (channel: string) => void;
  /**
   * Set where the client keeps no session, as behind a pooler in transaction mode: each transaction sets these for
   * itself, and each statement outside one gets a transaction of its own.
   */
  transaction_timeouts?: Timeouts;
};

/** A client that is lent to one borrower. */
export type Lease = {
  readonly connection: Connection;
  /** Takes the client back: what a late borrower still sends is rejected instead of running for the next borrower. */
  end(): void;
};

/**
 * Lends a client as a connection. `prepared` belongs to the client. Knex gets an instance for each lease that uses it,
 * so that queries built with it (and Objection's) run on this very client, inside its transaction, without a pool of
 * their own.
 */
export function leaseOf(client: pg.ClientBase, prepared: PreparedStatements, options: LeaseOptions): Lease {
  const { judge_rows = false, on_statement, transaction_timeouts, tell } = options;
  const socket = socketOf(client);
  const opening = transaction_timeouts ? openingWith(transaction_timeouts) : 'BEGIN';

  const announced = new Set<string>();
  let toBegin = false;
  let inTransaction = false;
  let hasEnded = false;
  let builders: BoundClient | undefined;
  let builder: Knex | undefined;

  function requireLease(): void {
    if (hasEnded)
      throw new Error('This connection was given back: a statement of its last borrower came too late');
  }

  /**
   * Comes before each statement. Statements of one turn of the event loop leave in one packet (a system call each
   * cost a third of a write), and BEGIN goes before the first of a transaction.
   */
  function beforeSending(text: string, values: readonly unknown[], alone = false): void {
    on_statement?.(text, values);
    socket.cork();
    process.nextTick(() => socket.uncork());
    if (!toBegin || alone) return;
    toBegin = false;
    inTransaction = true;
    begin();
  }

  // Its failure is that of the statement behind it.
  const begin = () => void client.query(opening).catch(() => undefined);

  async function send(
    text: string,
    values: unknown[],
    is_prepared: boolean,
    alone = false,
  ): Promise<pg.QueryResult> {
    requireLease();
    beforeSending(text, values, alone);
    const { name, evicted } = is_prepared ? prepared.naming(text) : {};
    if (evicted !== undefined) client.query(new CloseStatement(evicted));
    if (inTransaction || !transaction_timeouts) return client.query({ name, text, values });
    begin();
    const sent = client.query({ name, text, values });
    const committed = client.query('COMMIT');
    committed.catch(() => undefined);
    const result = await sent;
    await committed;
    return result;
  }

  async function end(word: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    requireLease();
    const nothingOpen = toBegin;
    toBegin = false;
    inTransaction = false;
    if (nothingOpen) return;
    beforeSending(word, []);
    await client.query(word);
  }

  const connection: Connection = {
    pool: options,
    from(table) {
      builders ??= clientBoundTo({ client, send });
      const query = builders.queryBuilder();
      return table === undefined ? query : query.from(table);
    },
    get knex() {
      builder ??= knexBoundTo({ client, send });
      return builder;
    },
    async query<Row extends object>(
      text: string,
      values: readonly unknown[] = [],
      { prepared = true, alone = false }: { prepared?: boolean; alone?: boolean } = {},
    ) {
      const result = await send(text, values as unknown[], prepared, alone);
      return result.rows as Row[];
    },
    begin() {
      requireLease();
      announced.clear();
      toBegin = true;
    },
    hasBegun: () => inTransaction,
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
    announce(channel) {
      announced.add(channel);
    },
    tellAnnounced() {
      for (const channel of announced) tell?.(channel);
      announced.clear();
    },
    actFor(organization_id) {
      if (!judge_rows) return;
      client
        .query("SELECT set_config('app.organization_id', $1, false)", [organization_id])
        .catch(() => undefined);
    },
  };
  return {
    connection,
    end: () => {
      hasEnded = true;
    },
  };
}

/** One simple query: it travels with the statement behind it and is one answer. */
function openingWith({ statement_timeout, idle_in_transaction_session_timeout }: Timeouts): string {
  return `BEGIN; SET LOCAL statement_timeout = ${statement_timeout}; SET LOCAL idle_in_transaction_session_timeout = ${idle_in_transaction_session_timeout}`;
}

/** What the client speaks through. */
export function socketOf(client: pg.ClientBase): Socket {
  return wireOf(client).stream;
}

function wireOf(client: pg.ClientBase): Wire {
  return (client as unknown as { connection: Wire }).connection;
}

/** The driver's protocol, as far as it is used here. */
type Wire = {
  stream: Socket;
  parsedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
};

/** Frees a prepared statement by the protocol's own message, which poolers understand, unlike DEALLOCATE. */
class CloseStatement extends pg.Query {
  #name: string;

  constructor(name: string) {
    super({ text: '' }, () => undefined);
    this.#name = name;
  }

  override submit = (connection: pg.Connection): null => {
    const wire = connection as unknown as Wire;
    delete wire.parsedStatements[this.#name];
    wire.close({ type: 'S', name: this.#name });
    wire.sync();
    return null;
  };
}

type Send = (text: string, values: unknown[], is_prepared: boolean) => Promise<pg.QueryResult>;

/** What queries run on: the client of a lease, by the lease's own way to send. */
type Bound = { client: pg.ClientBase; send: Send };

type BoundConfig = Knex.Config & { bound: Bound };

/** What builds queries: Knex's client for PostgreSQL. */
type BoundClient = { queryBuilder(): Knex.QueryBuilder };

type Running = { sql: string; bindings?: unknown[]; response?: unknown };

/** Knex's client without a pool: its queries run on the client that its configuration names. */
function classOfBoundClient(PostgresClient: typeof import('knex/lib/dialects/postgres/index.js').default) {
  return class extends PostgresClient {
    readonly #bound: Bound;

    constructor(config: BoundConfig) {
      super(config);
      this.#bound = config.bound;
    }

    override initializePool() {}
    override acquireConnection() {
      return Promise.resolve(this.#bound.client);
    }
    override releaseConnection() {
      return Promise.resolve();
    }
    override async _query(_: unknown, query: Running) {
      query.response = await this.#bound.send(query.sql, query.bindings ?? [], true);
      return query;
    }
  };
}

function clientBoundTo(bound: Bound): BoundClient {
  const { Client } = loadBuilder();
  return new Client({ client: Client as unknown as typeof Knex.Client, bound }) as unknown as BoundClient;
}

function knexBoundTo(bound: Bound): Knex {
  const { knex, Client } = loadBuilder();
  return knex({ client: Client as unknown as typeof Knex.Client, connection: {}, bound } as BoundConfig);
}

type Knexes = { knex: typeof import('knex').default; Client: ReturnType<typeof classOfBoundClient> };

const require = createRequire(import.meta.url);
let loaded: Knexes | undefined;

/**
 * Loads the builder of queries, which its first use does otherwise. Its 320 modules take 0.1 s of a processor: most
 * commands and most processes of workers build no query.
 */
export function loadBuilder(): Knexes {
  loaded ??= {
    knex: require('knex'),
    Client: classOfBoundClient(require('knex/lib/dialects/postgres/index.js')),
  };
  return loaded;
}
