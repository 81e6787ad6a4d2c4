import type { Database } from '../../shared/db/database.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { ensureInstallation } from '../../shared/platform/installation/installation.ts';
import type { Backend } from './backend.ts';

/**
 * The ID of this installation, drawn now where the database is new or restored; nothing can begin without. Errors: a
 * StartupError that says why the database does not answer, or that its schema is older than this release.
 */
export async function requireInstallation(database: Database, now: Date): Promise<string> {
  return ensureInstallation(database, now).catch((error) => {
    if (SCHEMA_IS_OLDER.has(error?.code))
      throw new StartupError('The schema of the database is older than this release: run npm run migrate.');
    const reason = reasonOf(error instanceof Failure ? (error.details.cause ?? error) : error);
    throw new StartupError(`The database of DATABASE_URL does not answer: ${sentence(reason)}`);
  });
}

/** SQLSTATE of a table and of a function that do not exist. */
const SCHEMA_IS_OLDER = new Set(['42P01', '42883']);

/** The queues' engine answers. Errors: a StartupError that says why not. */
export async function requireQueues(backend: Backend): Promise<void> {
  await backend.ping().catch((error) => {
    throw new StartupError(`The queues cannot be used: ${sentence(reasonOf(error))}`);
  });
}

function sentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}
