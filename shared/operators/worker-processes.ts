import type { Connection } from '../kernel/connection.ts';

/** A job that a process has in hand. */
export type RunningJob = { job: string; delivery_id: string; organization_id: string; since: string };

/** A process of workers, as it tells of itself. */
export type WorkerProcess = {
  id: string;
  host: string;
  pid: number;
  engine: 'redis' | 'postgres';
  queues: string[];
  running: RunningJob[];
  memory_bytes: number;
  started_at: string;
  beat_at: string;
};

/** Milliseconds between two beats, and after which a process that tells nothing counts as gone. */
export const BEAT = 5_000;
export const SILENCE = 30_000;

/** Says that a process is alive and what it has in hand; forgets those that have been silent for a day. */
export async function beat(connection: Connection, process: WorkerProcess): Promise<void> {
  const { id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at } = process;
  await connection.query(
    `WITH forgotten AS (DELETE FROM worker_processes WHERE beat_at < $9::timestamptz - interval '1 day' AND id <> $1)
     INSERT INTO worker_processes (id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO UPDATE SET running = $6, memory_bytes = $7, beat_at = $9`,
    [id, host, pid, engine, queues, JSON.stringify(running), memory_bytes, started_at, beat_at],
  );
}

/** Takes a process that ends in order off the list. */
export async function endProcess(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM worker_processes WHERE id = $1', [id]);
}

/** The processes at work, and those that fell silent within the last day, the oldest first. */
export function workerProcesses(connection: Connection): Promise<WorkerProcess[]> {
  return connection.query<WorkerProcess>(
    `SELECT id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at
     FROM worker_processes ORDER BY started_at, id`,
  );
}

/** Whether a process told something lately. A beat from the future is one of a clock that is ahead. */
export function isAlive({ beat_at }: WorkerProcess, now: Date): boolean {
  return now.getTime() - Date.parse(beat_at) < SILENCE;
}
