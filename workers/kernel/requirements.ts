import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Backend } from './backend.ts';
import { reasonOf } from './reason.ts';

/** What nothing can begin without. Errors: a Refusal that says what does not answer, and why. */
export async function requireDatabaseAndQueues(database: Database, backend: Backend): Promise<void> {
  await database
    .withConnection(EVERY_ORGANIZATION, ({ query }) => query('SELECT 1'))
    .catch((error) => {
      const reason = reasonOf(error instanceof Failure ? (error.details.cause ?? error) : error);
      throw new Refusal(`The database of DATABASE_URL does not answer: ${sentence(reason)}`);
    });
  await backend.ping().catch((error) => {
    throw new Refusal(`The queues cannot be used: ${sentence(reasonOf(error))}`);
  });
}

function sentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}
