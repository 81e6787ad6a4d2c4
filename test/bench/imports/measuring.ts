import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { TestDatabase } from '../../support/database.ts';
import { processTime, serverTime } from '../process-time.ts';
import { type Server, startServer } from '../servers.ts';

const run = promisify(execFile);

/** The workers of imports as a process of their own, with the folder as their DATA_DIR. */
export function importWorkers({ url }: TestDatabase, folder: string): Promise<Server> {
  return startServer('ours', 'workers/main.ts', {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the measurement, long enough',
  });
}

/** What the plain tools do: commands before, the statements that are measured, and what removes the tables. */
export type PlainTools = { before: string[]; copy: string; upsert: string; after: string };

/** Seconds of the two statements, each in a transaction of its own, in one session of psql. */
export async function psql(test_database: TestDatabase, tools: PlainTools): Promise<number> {
  return (await psqlUsed(test_database, tools)).seconds;
}

/** Seconds of something, and the milliseconds of processor time that the server of the database and the worker have used. */
export type Used = { seconds: number; database: number; worker: number };

/** The same with the processor time of the server. */
export async function psqlUsed(
  test_database: TestDatabase,
  { before, copy, upsert, after }: PlainTools,
): Promise<Used> {
  const quiet = [test_database.url, '-q', '-v', 'ON_ERROR_STOP=1'];
  if (before.length > 0) await run('psql', [...quiet, ...before.flatMap((command) => ['-c', command])]);
  const used = await usedBy(test_database, null, async () => {
    const began = performance.now();
    await run('psql', [...quiet, '-c', copy, '-c', upsert]);
    return (performance.now() - began) / 1000;
  });
  await run('psql', [...quiet, '-c', after]);
  return used;
}

/** What `measured` took, as it says, and the processor time that was used meanwhile. */
export async function usedBy(
  test_database: TestDatabase,
  workers: Server | null,
  measured: () => Promise<number>,
): Promise<Used> {
  const now = async () => ({
    database: await serverTime(test_database),
    worker: workers ? processTime(workers.pid) : 0,
  });
  const before = await now();
  const seconds = await measured();
  const after = await now();
  return { seconds, database: after.database - before.database, worker: after.worker - before.worker };
}

/** The most memory that the process has had, in MiB. */
export function peakOf({ pid }: Server): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The one that so large a share of them is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** A list beside what the organization has already: what is measured, and what becomes of its rows. */
export type Case = { name: string; from: number; generation: number; outcomes: Outcomes };

type Outcomes = { created: number; updated: number; unchanged: number };

/** Lists of so many rows, one after the other: all new, the same again, each row with another name, and one that has half of it. */
export function casesOf(rows: number): Case[] {
  const none = { created: 0, updated: 0, unchanged: 0 };
  const half = Math.floor(rows / 2);
  const halves = { ...none, created: half, unchanged: rows - half };
  return [
    { name: 'new', from: 0, generation: 0, outcomes: { ...none, created: rows } },
    { name: 'known', from: 0, generation: 0, outcomes: { ...none, unchanged: rows } },
    { name: 'changed', from: 0, generation: 1, outcomes: { ...none, updated: rows } },
    { name: 'half known', from: half, generation: 1, outcomes: halves },
  ];
}

/** Refuses an import that did something else with its rows. */
export function refuseOthers(
  { name, outcomes }: Case,
  row: { created_count: number; updated_count: number; unchanged_count: number },
): void {
  const { created_count: created, updated_count: updated, unchanged_count: unchanged } = row;
  const found = JSON.stringify({ created, updated, unchanged });
  if (found !== JSON.stringify(outcomes)) throw new Error(`Of the ${name} list came ${found}`);
}

/** Neither side is to pay for what the case before has left: its dead rows, and the letters that a sweep would write. */
export async function settleTables({ database }: TestDatabase): Promise<void> {
  await database.withConnection('*', async ({ query }) => {
    await query('DELETE FROM mail_contacts_unindexed');
    await query('VACUUM ANALYZE');
  });
}
