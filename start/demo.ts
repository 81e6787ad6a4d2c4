import { openClient } from '../shared/db/migrate/client.ts';
import type { Credentials } from './welcome.ts';

/**
 * On the very first start (there is no organization) one with records to try the service with, and who can sign in
 * to it; null on a later one. Safe when two processes start at once, or when one dies on the way.
 */
export async function createDemo({ url, now }: { url: string; now: Date }): Promise<Credentials | null> {
  if (await hasOrganization(url)) return null;
  // Loaded only here: a later start does not wait for it.
  const { makeDemo } = await import('./demo/make.ts');
  return makeDemo(url, now);
}

async function hasOrganization(url: string): Promise<boolean> {
  const client = await openClient(url);
  try {
    const { rows } = await client.query('SELECT FROM organizations LIMIT 1');
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
