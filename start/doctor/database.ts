import { openDatabase } from '../../shared/db/database.ts';
import { openClient } from '../../shared/db/migrate/client.ts';
import { refuseUnfit } from '../../shared/db/migrate/fitness.ts';
import { migrationStatus } from '../../shared/db/migrate.ts';
import { isThroughPooler, requireFitAddresses } from '../../shared/db/pooler.ts';
import { clockDifference } from '../../shared/platform/operators/clock.ts';
import { databaseCure } from './cures.ts';
import { type Check, cured, fail, ok, warn } from './finding.ts';

type Addresses = { databaseUrl: string; databaseDirectUrl: string };

/** The oldest PostgreSQL that the service was tried with. */
const OLDEST = 15;

/** Seconds by which clocks may differ unnoticed; from a minute on workers refuse to work. */
const NOTABLE = 5;
const TOO_MUCH = 60;

/** The checks of the database that the settings name, or of the embedded one that runs. */
export function databaseChecks(addresses: Addresses): Check[] {
  const { databaseDirectUrl: url } = addresses;
  const setting = isThroughPooler(addresses) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return [
    {
      name: 'database',
      run: cured(
        () => version(url),
        (error) => databaseCure(error, setting),
      ),
    },
    { name: 'text', run: () => text(url) },
    { name: 'migrations', run: () => migrations(url) },
    { name: 'addresses', run: () => connections(addresses) },
    { name: 'clock', run: () => clock(url) },
  ];
}

async function version(url: string) {
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ server_version: string; number: number; writes: boolean }>(
      `SELECT current_setting('server_version') AS server_version, NOT pg_is_in_recovery() AS writes,
         current_setting('server_version_num')::integer / 10000 AS number`,
    );
    const { server_version, number, writes } = rows[0]!;
    if (!writes)
      return fail('The server is a standby that takes no writes: DATABASE_URL must name the primary.');
    if (number < OLDEST)
      return fail(`PostgreSQL ${server_version} is too old: ${OLDEST} is the oldest that was tried.`);
    return ok(`PostgreSQL ${server_version} answers.`);
  } finally {
    await client.end();
  }
}

async function text(url: string) {
  const client = await openClient(url);
  try {
    await refuseUnfit(client);
    return ok('The encoding is UTF8, and Japanese letters are letters.');
  } finally {
    await client.end();
  }
}

async function migrations(url: string) {
  const pending = (await migrationStatus(url)).filter(({ applied }) => !applied);
  if (pending.length === 0) return ok('The schema is that of this release.');
  return fail(
    `${pending.length} migrations wait, from ${pending[0]!.name} on: npm run migrate applies them.`,
  );
}

async function connections(addresses: Addresses) {
  await requireFitAddresses(addresses);
  if (!isThroughPooler(addresses)) return ok('DATABASE_URL leads to PostgreSQL itself.');
  await (await openClient(addresses.databaseUrl)).end();
  return ok('DATABASE_URL leads to a pooler that can serve, DATABASE_DIRECT_URL to PostgreSQL itself.');
}

async function clock(url: string) {
  const database = openDatabase({ url, pool_size: 1, application_name: 'business-operations-doctor' });
  try {
    const seconds = Math.round((await clockDifference(database, () => new Date())) / 1000);
    const words = `This machine's clock differs from the database's by ${seconds} s`;
    if (Math.abs(seconds) > TOO_MUCH)
      return fail(`${words}: workers do not work so. Synchronise both clocks (NTP).`);
    if (Math.abs(seconds) > NOTABLE) return warn(`${words}: synchronise both clocks (NTP).`);
    return ok(`${words}.`);
  } finally {
    await database.end();
  }
}
