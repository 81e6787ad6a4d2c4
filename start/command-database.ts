import { type Database, EVERY_ORGANIZATION, openDatabase } from '../shared/db/database.ts';
import { runningDatabase } from '../shared/db/embedded/running.ts';
import { inWork } from '../shared/db/in-work.ts';
import { migrationStatus } from '../shared/db/migrate.ts';
import { operatorActor } from '../shared/kernel/reader.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import type { Work } from '../shared/kernel/work.ts';
import { SettingsError, type StartSettings } from '../shared/platform/settings/settings.ts';

type Addresses = Pick<StartSettings, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;

/**
 * The addresses of a command's database: that of the settings, or the embedded one while npm start runs it; null without
 * either.
 */
export function databaseUrls(settings: Addresses): { databaseUrl: string; databaseDirectUrl: string } | null {
  const databaseUrl = settings.databaseUrl ?? runningDatabase(settings.dataDir);
  if (databaseUrl === undefined) return null;
  return { databaseUrl, databaseDirectUrl: settings.databaseDirectUrl ?? databaseUrl };
}

/**
 * Runs a command with the database of the settings, which must have the schema of this release. Errors: a StartupError that
 * says what is missing.
 */
export async function withCommandDatabase<T>(
  settings: Addresses,
  run: (database: Database) => Promise<T>,
): Promise<T> {
  const urls = databaseUrls(settings);
  if (!urls) throw new SettingsError('DATABASE_URL is required where no npm start runs.');
  const pending = (await migrationStatus(urls.databaseDirectUrl)).filter(({ applied }) => !applied);
  if (pending.length > 0) {
    throw new StartupError('The database lacks the schema of this release: npm run migrate brings it.');
  }
  const database = openDatabase({
    url: urls.databaseDirectUrl,
    pool_size: 1,
    application_name: 'business-operations-operators',
  });
  try {
    return await run(database);
  } finally {
    await database.end();
  }
}

/** Runs one write of an operator in a transaction of its own, which may change an account alone and record no fact. */
export function asOperator<T>(database: Database, now: Date, write: (work: Work) => Promise<T>): Promise<T> {
  const asker = { actor: operatorActor, now, request_id: null, ip_address: null, organization_id: '' };
  return database.withConnection(EVERY_ORGANIZATION, (connection) =>
    inWork({ ...asker, connection }, write, { may_change_nothing: true }),
  );
}
