import pg from 'pg';
import { Refusal } from '../../refusal.ts';

/** Connects once; a Refusal says why it cannot. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    throw new Refusal(`The database of DATABASE_URL does not answer: ${message || code}.`);
  }
  return client;
}
