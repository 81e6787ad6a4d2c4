import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import type { Connection } from '../kernel/connection.ts';

export type ConnectionOptions = {
  /** Names the organization on each connection, for a role under which row-level security is forced. */
  judge_rows?: boolean;
  /** Is told every statement before it is sent: for looking at its plan. */
  on_statement?: (text: string, values: readonly unknown[]) => void;
};

/**
 * Makes a pooled client into a connection. Knex gets one instance for each client, so that queries built with it
 * (and Objection's) run on the connection that the request holds, inside its transaction, without a pool of their own.
 */
export function connectionOf(client: pg.ClientBase, options: ConnectionOptions): Connection {
  const { judge_rows = false, on_statement } = options;
  const socket = socketOf(client);

  let toBegin = false;
  let inTransaction = false;

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
    client.query('BEGIN').catch(() => undefined);
  }

  async function end(word: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const nothingOpen = toBegin;
    toBegin = false;
    inTransaction = false;
    if (nothingOpen) return;
    beforeSending(word, []);
    await client.query(word);
  }

  const connection: Connection = {
    pool: options,
    knex: knex({ client: boundTo(client, beforeSending), connection: {} } as Knex.Config),
    async query<Row extends object>(
      text: string,
      values: readonly unknown[] = [],
      { prepared = true, alone = false }: { prepared?: boolean; alone?: boolean } = {},
    ) {
      const name = prepared ? statementName(text) : undefined;
      beforeSending(text, values, alone);
      const result = await client.query({ name, text, values: values as unknown[] });
      return result.rows as Row[];
    },
    begin() {
      toBegin = true;
    },
    hasBegun: () => inTransaction,
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
    actFor(organization_id) {
      if (!judge_rows) return;
      client
        .query("SELECT set_config('app.organization_id', $1, false)", [organization_id])
        .catch(() => undefined);
    },
  };
  return connection;
}

/** What the client speaks through. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Statement texts seen so far; each is parsed and planned once on a connection instead of at every request. */
const statements = new Map<string, string>();
const MOST_STATEMENTS = 1000;

function statementName(text: string): string | undefined {
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= MOST_STATEMENTS) return undefined;
  const name = `s${statements.size + 1}`;
  statements.set(text, name);
  return name;
}

function boundTo(
  client: pg.ClientBase,
  before: (text: string, values: readonly unknown[]) => void,
): typeof Knex.Client {
  class BoundClient extends PostgresClient {
    override initializePool() {}
    override acquireConnection() {
      return Promise.resolve(client);
    }
    override releaseConnection() {
      return Promise.resolve();
    }
    override async _query(_: unknown, query: { sql: string; bindings?: unknown[]; response?: unknown }) {
      before(query.sql, query.bindings ?? []);
      query.response = await client.query({
        name: statementName(query.sql),
        text: query.sql,
        values: query.bindings ?? [],
      });
      return query;
    }
  }
  return BoundClient as unknown as typeof Knex.Client;
}
