import pg from 'pg';
import { StartupError } from '../../kernel/startup-error.ts';
import { noSession, refusesParameters, requireKeptSession, SESSION_OPTIONS } from '../pooler.ts';

/** Connects once, to the server itself; a StartupError says why it cannot, also where a pooler answers. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    options: SESSION_OPTIONS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    if (refusesParameters(error)) throw noSession('The address of the database');
    const { message, code } = error as { message?: string; code?: string };
    throw new StartupError(`The database of DATABASE_URL does not answer: ${message || code}.`, {
      cause: error,
    });
  }
  await requireKeptSession(client, 'The address of the database').catch(async (error) => {
    await client.end();
    throw error;
  });
  return client;
}
