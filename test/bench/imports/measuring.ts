import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { TestDatabase } from '../../support/database.ts';
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
export async function psql(
  { url }: TestDatabase,
  { before, copy, upsert, after }: PlainTools,
): Promise<number> {
  const quiet = [url, '-q', '-v', 'ON_ERROR_STOP=1'];
  await run('psql', [...quiet, ...before.flatMap((command) => ['-c', command])]);
  const began = performance.now();
  await run('psql', [...quiet, '-c', copy, '-c', upsert]);
  const seconds = (performance.now() - began) / 1000;
  await run('psql', [...quiet, '-c', after]);
  return seconds;
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
