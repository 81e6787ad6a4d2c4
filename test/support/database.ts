import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../shared/db/database.ts';
import { migrate } from '../../shared/db/migrate.ts';
import { schemaFingerprint } from './fingerprint.ts';
import { testServer } from './postgres.ts';
import { asJudgedRole, forceRowSecurity, isJudged } from './row-security.ts';
import { until } from './until.ts';

/** A database of one's own, made from a migrated template; dropped by `drop`. */
export type TestDatabase = { url: string; database: Database; drop: () => Promise<void> };

/** On a busy machine many requests at once take longer than the service lets them wait. */
const patient = { pool_size: 10, connection_timeout: 120_000, statement_timeout: 120_000 };

/**
 * Clones the template of the present migrations instead of running them again. Its files are copied: that takes half the
 * processor time of writing each of its pages to the log.
 */
export async function freshDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const server = await testServer();
  const template = await migratedTemplate(server.url);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server.url, (client) =>
    alone(client, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  const url = databaseUrl(server.url, name);
  const chosen = { ...patient, ...options };
  const database = isJudged
    ? openDatabase({ ...chosen, url: asJudgedRole(url), judge_rows: true })
    : openDatabase({ ...chosen, url });
  return {
    url,
    database,
    async drop() {
      await database.end();
      await onServer(server.url, (client) => alone(client, `DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/**
 * A second database with all that another one holds, as a restored backup would: rows, functions and tickets, but not the
 * marks of its server. Connections to the original are cut, so no process may be at work on it.
 */
export async function copyOfDatabase(original: TestDatabase): Promise<TestDatabase> {
  const source = new URL(original.url).pathname.slice(1);
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server.url, async (client) => {
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [source]);
    await alone(client, `CREATE DATABASE ${name} TEMPLATE ${source}`);
  });
  const url = databaseUrl(server.url, name);
  const database = openDatabase({ ...patient, url });
  return {
    url,
    database,
    async drop() {
      await database.end();
      await onServer(server.url, (client) => alone(client, `DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

let template: Promise<string> | undefined;

/** The migrated database that all clones are made from; the first test file that asks makes it. */
function migratedTemplate(serverUrl: string): Promise<string> {
  template ??= makeTemplate(serverUrl);
  return template;
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `template_${isJudged ? 'judged_' : ''}${schemaFingerprint()}`;
  await onServer(serverUrl, async (client) => {
    // Files run in parallel: one makes the template, the others wait for it.
    await client.query("SELECT pg_advisory_lock(hashtext('test template'))");
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length > 0) return;
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
    await migrate(databaseUrl(serverUrl, draft), { log: () => {} });
    if (isJudged) await onServer(databaseUrl(serverUrl, draft), forceRowSecurity);
    await alone(client, `ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

/** Runs a statement that wants a database for itself: whoever has left it may take longer to go than the server waits. */
async function alone(client: pg.Client, text: string): Promise<void> {
  await until(text, () =>
    client.query(text).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== OBJECT_IN_USE) throw error;
        return false;
      },
    ),
  );
}

const OBJECT_IN_USE = '55006';

async function onServer<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
