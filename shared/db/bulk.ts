import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Connection } from '../kernel/connection.ts';
import { type ConnectionOptions, leaseOf, socketOf } from './connection.ts';
import { preparedStatements } from './prepared.ts';
import { types } from './types.ts';

/**
 * A connection of its own for much data: COPY cannot share one with statements that are sent ahead, and a long
 * stream must not take a place of the pool. `transaction()` and a Work run on `connection` as on any other; a COPY
 * never is the first statement of a transaction, since BEGIN travels with the first one of `connection`.
 */
export type Bulk = {
  readonly connection: Connection;
  /** `COPY ... FROM STDIN` in text form, from buffers; answers when the server has taken all of it. */
  copyIn(text: string, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** `COPY (...) TO STDOUT` as a stream of bytes; to destroy it before its end ends the connection. */
  copyOut(text: string): Readable;
};

export type BulkOptions = {
  /** The server itself: a temporary table or a long COPY is not for a pooler. */
  url: string;
  organization_id: string;
  /** When aborted the connection is cut, and what it had not committed is rolled back. */
  signal?: AbortSignal;
  /** Milliseconds for one statement; 0 means no limit. */
  statement_timeout?: number;
} & ConnectionOptions;

/** Opens a connection for `run` and closes it when `run` has settled. */
export async function withBulk<T>(options: BulkOptions, run: (bulk: Bulk) => Promise<T>): Promise<T> {
  const { url, organization_id, signal, statement_timeout = 0, judge_rows, on_statement } = options;
  signal?.throwIfAborted();
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout,
    application_name: 'business-operations-bulk',
    types,
  });
  // A connection that breaks is learned from the statement that waits for it.
  client.on('error', () => undefined);
  await client.connect();
  const drained = inTurn(client);
  const cut = () => socketOf(client).destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    signal?.throwIfAborted();
    // The client is this borrower's alone and closed at the end: its lease needs no end.
    const tell = (channel: string) =>
      void client.query('SELECT pg_notify($1, $2)', [channel, '']).catch(() => undefined);
    const { connection } = leaseOf(client, preparedStatements(), { judge_rows, on_statement, tell });
    connection.actFor(organization_id);
    return await run({
      connection,
      async copyIn(text, source) {
        await drained();
        await pipeline(source, client.query(from(text)));
      },
      copyOut: (text) => copyOut(client, text),
    });
  } catch (error) {
    // The abort is the reason, not the broken connection that it left.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cut);
    await closed(client);
  }
}

/** An error that comes before anybody reads, or after the last who did, is nobody's to catch: a later reader is told. */
function copyOut(client: pg.Client, text: string): Readable {
  const stream = client.query(to(text, { highWaterMark: 256 * 1024 }));
  return stream.on('error', (error) => stream.destroy(error));
}

/**
 * Statements that are sent together, as a Work does, wait for each other here: this client speaks one at a time. Answers
 * what waits until all have been answered.
 */
function inTurn(client: pg.Client): () => Promise<void> {
  const query = client.query.bind(client) as (config: unknown, values?: unknown) => unknown;
  let last: Promise<unknown> = Promise.resolve();
  const ordered = (config: string | { submit?: unknown }, values?: unknown[]) => {
    if (typeof config === 'object' && config.submit) return query(config);
    const result = last.then(() => query(config, values));
    last = result.catch(() => undefined);
    return result;
  };
  client.query = ordered as typeof client.query;
  return async () => {
    await last;
  };
}

/** A COPY that was left in its middle would keep a polite end waiting for ever. */
async function closed(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => socketOf(client).destroy(), 1_000);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}
