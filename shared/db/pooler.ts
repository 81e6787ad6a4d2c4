import pg from 'pg';
import { StartupError } from '../kernel/startup-error.ts';

type Addresses = { databaseUrl: string; databaseDirectUrl: string };

/** Whether DATABASE_URL leads to a pooler: DATABASE_DIRECT_URL then names another way to the same database. */
export function isThroughPooler({ databaseUrl, databaseDirectUrl }: Addresses): boolean {
  return databaseUrl !== databaseDirectUrl;
}

/**
 * Refuses addresses through which the service would lose jobs, locks or statements: a direct one that leads to a
 * pooler, and a pooler that forgets prepared statements. A server that does not answer is not judged. Errors: StartupError.
 */
export async function requireFitAddresses(addresses: Addresses): Promise<void> {
  const name = isThroughPooler(addresses) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  await unlessAway(() => requireSession(addresses.databaseDirectUrl, name));
  if (isThroughPooler(addresses)) await unlessAway(() => requireStatements(addresses.databaseUrl));
}

async function unlessAway(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof StartupError) throw error;
  }
}

/** A setting that means nothing to the server; only a session of one's own has it as it was sent at connecting. */
const SETTING = 'business_operations.session';

/** What to connect with for `requireKeptSession`. */
export const SESSION_OPTIONS = `-c ${SETTING}=kept`;

async function requireSession(url: string, name: string): Promise<void> {
  const client = await connect(url, SESSION_OPTIONS).catch((error) => {
    throw refusesParameters(error) ? noSession(name) : error;
  });
  try {
    await requireKeptSession(client, name);
  } finally {
    await client.end();
  }
}

/** Whether connecting failed because a pooler takes no settings. */
export function refusesParameters(error: unknown): boolean {
  return /unsupported (options )?startup parameter/.test((error as Error).message);
}

/** Refuses a client, connected with SESSION_OPTIONS, that has no session of its own. `name` is that of its setting. */
export async function requireKeptSession(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('${SETTING}', true) AS session`);
  if (rows[0]?.session !== 'kept') throw noSession(name);
}

/** `name` is the setting whose address leads to a pooler. */
export function noSession(name: string): StartupError {
  return new StartupError(
    `${name} leads to a pooler, which keeps no session: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
  );
}

/** Another text under this name tells whether the pooler keeps the statements of its clients apart. */
const PROBE = 'business_operations_probe';
const DUPLICATE_STATEMENT = '42P05';
const NO_SUCH_STATEMENT = '26000';

/** Rounds in which two clients look whether they get the same connection to the server. */
const ROUNDS = 5;

/**
 * A pooler that tracks prepared statements gives them names of its own, one on the server for each text. One that does
 * not sends the name as it is, and in transaction mode to whichever connection is free. In session mode that is right.
 */
async function requireStatements(url: string): Promise<void> {
  const clients = [await connect(url)];
  try {
    clients.push(await connect(url));
    const [one, other] = clients as [pg.Client, pg.Client];
    if (await hasOwnName(one)) return;
    if (await isShared(one, other)) throw forgetsStatements();
  } catch (error) {
    const code = (error as { code?: string }).code;
    throw code === DUPLICATE_STATEMENT || code === NO_SUCH_STATEMENT ? forgetsStatements() : error;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function hasOwnName(client: pg.Client): Promise<boolean> {
  await client.query('BEGIN');
  await client.query({ name: PROBE, text: 'SELECT 1' });
  const { rows } = await client.query(`SELECT FROM pg_prepared_statements WHERE name = '${PROBE}'`);
  await client.query('COMMIT');
  return rows.length === 0;
}

async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const seen = { one: new Set<number>(), other: new Set<number>() };
  for (let round = 0; round < ROUNDS; round++) {
    seen.one.add(await serverOf(one));
    seen.other.add(await serverOf(other));
  }
  return seen.one.size > 1 || !seen.one.isDisjointFrom(seen.other);
}

async function serverOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

function forgetsStatements(): StartupError {
  return new StartupError(
    'DATABASE_URL leads to a pooler that does not keep prepared statements: use pgbouncer 1.21 or newer with max_prepared_statements above 0, as in deploy/pgbouncer/pgbouncer.ini.',
  );
}

async function connect(url: string, options?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, options });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
