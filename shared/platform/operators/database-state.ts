import type { Connection } from '../../kernel/connection.ts';

/** The database server as operators see it. */
export type DatabaseState = {
  /** `18.4` */
  version: string;
  size_bytes: number;
  /** Of all programs and databases: what `max_connections` bounds. */
  connections: number;
  active_connections: number;
  max_connections: number;
  /** Seconds that the oldest open transaction of this database has been open; null when none is. */
  longest_transaction_seconds: number | null;
  /** The program that holds it. */
  longest_transaction_by: string | null;
  /** Part of the reads that memory answered, 0 to 1; null before the first. */
  cache_hits: number | null;
  up_seconds: number;
};

/**
 * Ages are by the server's own clock: its view of its transactions is all there is. Without the right to see other
 * accounts' activity the longest transaction is that of one's own.
 */
export async function databaseState(connection: Connection): Promise<DatabaseState> {
  const [state] = await connection.query<DatabaseState>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
       pg_database_size(current_database()) AS size_bytes,
       activity.connections, activity.active_connections,
       current_setting('max_connections')::integer AS max_connections,
       oldest.seconds AS longest_transaction_seconds, oldest.application_name AS longest_transaction_by,
       (SELECT round(blks_hit::numeric / nullif(blks_hit + blks_read, 0), 4)::float8
        FROM pg_stat_database WHERE datname = current_database()) AS cache_hits,
       extract(epoch FROM now() - pg_postmaster_start_time())::bigint AS up_seconds
     FROM (
       SELECT count(*)::integer AS connections, count(*) FILTER (WHERE state = 'active')::integer AS active_connections
       FROM pg_stat_activity WHERE backend_type = 'client backend'
     ) activity
     LEFT JOIN LATERAL (
       SELECT greatest(extract(epoch FROM now() - xact_start), 0)::integer AS seconds, application_name
       FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND xact_start IS NOT NULL
         AND pid <> pg_backend_pid()
       ORDER BY xact_start LIMIT 1
     ) oldest ON true`,
  );
  return state!;
}
