declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  export default class PostgresClient extends Knex.Client {
    initializePool(): void;
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<void>;
    _query(connection: unknown, query: { sql: string; bindings?: unknown[] }): Promise<unknown>;
  }
}
