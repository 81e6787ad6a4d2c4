import type { Database } from '../../shared/db/database.ts';
import type { Environment } from '../../shared/platform/settings/settings.ts';
import { type Program, startProgram } from './program.ts';

export type TestWorkers = Program;

/** A real process of workers, ready to work. It ends with the test file at the latest. */
export function startWorkers(environment: Environment, words: string[] = []): Promise<TestWorkers> {
  return startProgram('workers/main.ts', environment, words);
}

/** The same with jobs of the tests instead of the service's: test/workers/fixtures/workers.ts. */
export function startTestWorkers(environment: Environment, words: string[] = []): Promise<TestWorkers> {
  return startProgram('test/workers/fixtures/workers.ts', environment, words);
}

/** Makes the tables in which those jobs say what they did. */
export async function makeNotes(database: Database): Promise<void> {
  await database.withConnection('*', ({ query }) =>
    query(`CREATE TABLE begun AS SELECT ''::text AS delivery_id LIMIT 0`),
  );
  await database.withConnection('*', ({ query }) => query('CREATE TABLE noted (LIKE begun)'));
  await database.withConnection('*', ({ query }) =>
    query('CREATE TABLE parts (delivery_id text NOT NULL, part integer NOT NULL)'),
  );
}

/** How many of the deliveries were noted, and which of them more than once. */
export async function notes(
  database: Database,
  ids: readonly string[],
): Promise<{ count: number; twice: string[] }> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ delivery_id: string; count: number }>(
      'SELECT delivery_id, count(*)::integer AS count FROM noted WHERE delivery_id = ANY($1) GROUP BY 1',
      [ids],
    ),
  );
  return { count: rows.length, twice: rows.filter((row) => row.count > 1).map((row) => row.delivery_id) };
}
