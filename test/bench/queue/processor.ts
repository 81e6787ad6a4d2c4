import { Redis } from 'ioredis';
import type { TestDatabase } from '../../support/database.ts';
import { processTime } from '../process-time.ts';

/** Milliseconds of processor time that each part has used so far. */
export type ProcessorTime = { worker: number; database: number; redis: number };

/** What the worker, the connections of one database and Redis have used; of Linux alone. */
export async function processorTime(
  worker_pid: number,
  { database }: TestDatabase,
  redis_url: string | undefined,
): Promise<ProcessorTime> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = current_database()'),
  );
  const of_database = rows.reduce((sum, { pid }) => sum + processTime(pid), 0);
  return { worker: processTime(worker_pid), database: of_database, redis: await ofRedis(redis_url) };
}

async function ofRedis(url: string | undefined): Promise<number> {
  if (!url) return 0;
  const client = new Redis(url);
  const text = await client.info('cpu');
  client.disconnect();
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1000;
}
