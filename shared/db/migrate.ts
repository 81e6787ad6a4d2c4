import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type pg from 'pg';
import { alone } from './migrate/alone.ts';
import { openClient } from './migrate/client.ts';
import { refuseUnfit } from './migrate/fitness.ts';

const FOLDER = resolve(import.meta.dirname, '../../migrations');

export type MigrateOptions = {
  /** Takes one sentence for each migration that is applied. */
  log: (sentence: string) => void;
  /** The folder of the migrations; the service's own when absent. */
  folder?: string;
};

/** Runs a statement and answers its rows. */
export type RunQuery = <Row extends object>(text: string) => Promise<Row[]>;

/**
 * Brings the database to the schema of this release. Two processes may ask at once: one works, the other waits.
 * Each migration commits by itself, with its record. A database that is ahead (an older release was started again)
 * is left as it is. Needs a direct connection, not a pooler. Throws a StartupError when the database cannot serve.
 */
export async function migrate(url: string, { log, folder = FOLDER }: MigrateOptions): Promise<void> {
  await alone(url, log, async (client) => {
    await refuseUnfit(client);
    const pending = await pendingMigrations(queryOf(client), folder);
    await withKnex(url, folder, pending, async (knex) => {
      for (const name of pending) {
        await knex.migrate.up({ name } as Knex.MigratorConfig);
        log(`Migration ${name} is applied.`);
        const { notes }: MigrationFile = await importMigration(folder, name);
        for (const sentence of (await notes?.(queryOf(client))) ?? []) log(sentence);
      }
    });
    if (folder !== FOLDER) return;
    const { migrateQueues } = await import('../../migrations/queues.ts');
    if (await migrateQueues(client)) log('The tables of the queues are applied.');
  });
}

/** Takes the newest applied migration back. */
export async function migrateDown(url: string, { log, folder = FOLDER }: MigrateOptions): Promise<void> {
  await alone(url, log, async (client) => {
    const applied = await appliedMigrations(queryOf(client));
    const name = migrationNames(folder).findLast((candidate) => applied.has(candidate));
    if (!name) return log('No migration is applied.');
    await withKnex(url, folder, [name], (knex) => knex.migrate.down({ name } as Knex.MigratorConfig));
    log(`Migration ${name} is taken back.`);
  });
}

/** Each migration of this release and whether it is applied, in their order. */
export async function migrationStatus(
  url: string,
  folder: string = FOLDER,
): Promise<{ name: string; applied: boolean }[]> {
  const client = await openClient(url);
  try {
    const applied = await appliedMigrations(queryOf(client));
    return migrationNames(folder).map((name) => ({ name, applied: applied.has(name) }));
  } finally {
    await client.end();
  }
}

/** The migrations of this release that the database lacks. */
export async function pendingMigrations(query: RunQuery, folder: string = FOLDER): Promise<string[]> {
  const applied = await appliedMigrations(query);
  return migrationNames(folder).filter((name) => !applied.has(name));
}

async function appliedMigrations(query: RunQuery): Promise<Set<string>> {
  const [table] = await query<{ made: boolean }>(`SELECT to_regclass('knex_migrations') IS NOT NULL AS made`);
  if (!table?.made) return new Set();
  const rows = await query<{ name: string }>('SELECT name FROM knex_migrations');
  return new Set(rows.map((row) => row.name));
}

/** What a migration may say besides `up` and `down`: sentences for the operator, once it is applied. */
type MigrationFile = Knex.Migration & { notes?: (query: RunQuery) => Promise<string[]> };

function importMigration(folder: string, name: string): Promise<MigrationFile> {
  return import(pathToFileURL(join(folder, `${name}.ts`)).href);
}

function migrationNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
}

async function withKnex(
  url: string,
  folder: string,
  names: string[],
  run: (knex: Knex) => Promise<unknown>,
): Promise<void> {
  if (names.length === 0) return;
  // Loaded only here: a start that has nothing to apply does not wait for it.
  const { default: makeKnex } = await import('knex');
  const knex = makeKnex({
    client: 'pg',
    connection: url,
    pool: { min: 0, max: 2 },
    // What fails is thrown; knex would print it a second time.
    log: { warn: () => {} },
    migrations: {
      disableMigrationsListValidation: true,
      migrationSource: {
        getMigrations: async () => migrationNames(folder),
        getMigrationName: (name: string) => name,
        getMigration: (name: string) => importMigration(folder, name),
      },
    },
  });
  try {
    // What an interrupted run left of knex's own lock means nothing: the advisory lock decides who works.
    await knex.migrate.forceFreeMigrationsLock();
    await run(knex);
  } finally {
    await knex.destroy();
  }
}

function queryOf(client: pg.Client): RunQuery {
  return async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
}
