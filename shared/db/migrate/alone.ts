import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from './client.ts';

// Any number will do, as long as every release uses the same.
const KEY = 7_244_102_951;

/**
 * Runs `work` while no other process migrates the same database. The lock ends with its connection, so a
 * crash leaves none behind.
 */
export async function alone(
  url: string,
  log: (sentence: string) => void,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await openClient(url);
  try {
    // Asked for again and again: a statement that waits would hold a snapshot, for which an index that is
    // built concurrently by the lock's holder waits in turn.
    for (let told = false; !(await taken(client)); told = true) {
      if (!told) log('Another process migrates the database: waiting for it.');
      await pause(100);
    }
    await work(client);
  } finally {
    await client.end();
  }
}

async function taken(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [KEY]);
  return rows[0]?.taken === true;
}
