import { createRequire } from 'node:module';
import type pg from 'pg';

/** BullMQ's tables stand apart in the schema that it uses where it is handed a pool. */
const SCHEMA = 'bullmq';

/**
 * Brings the tables of the queues to the version of the installed BullMQ, which numbers its own migrations. Answers
 * whether there was something to do. The schema's comment tells the version, so that a start with nothing to do need
 * not load the library. The tables are made with Redis too: it can be added and taken away again.
 */
export async function migrateQueues(client: pg.ClientBase): Promise<boolean> {
  const { version } = createRequire(import.meta.url)('bullmq/package.json') as { version: string };
  const { rows } = await client.query<{ applied: string | null }>(
    `SELECT obj_description(to_regnamespace($1), 'pg_namespace') AS applied`,
    [SCHEMA],
  );
  if (rows[0]?.applied === version) return false;
  const { runMigrations } = await import('bullmq');
  await runMigrations(client, SCHEMA);
  await client.query(`COMMENT ON SCHEMA ${SCHEMA} IS ${client.escapeLiteral(version)}`);
  return true;
}
