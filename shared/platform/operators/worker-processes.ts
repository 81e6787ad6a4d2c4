import type { Connection } from '../../kernel/connection.ts';

/** A job that a process has in hand. */
export type RunningJob = { job: string; delivery_id: string; organization_id: string; since: string };

/** A worker process, as its heartbeat describes it. */
export type WorkerProcess = {
  id: string;
  /** As `--name` says; null of a process of an older release. */
  name: string | null;
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
  const { id, name, host, pid, engine, queues, running, memory_bytes, started_at, beat_at } = process;
  await connection.query(
    `WITH forgotten AS (DELETE FROM worker_processes WHERE beat_at < $9::timestamptz - interval '1 day' AND id <> $1)
     INSERT INTO worker_processes
       (id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at, name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (id) DO UPDATE SET running = $6, memory_bytes = $7, beat_at = $9`,
    [id, host, pid, engine, queues, JSON.stringify(running), memory_bytes, started_at, beat_at, name],
  );
}

/** Takes a process that ends in order off the list. */
export async function endProcess(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM worker_processes WHERE id = $1', [id]);
}

/** The live processes, and those whose heartbeat stopped within the last day, the oldest first. */
export function workerProcesses(connection: Connection): Promise<WorkerProcess[]> {
  return connection.query<WorkerProcess>(
    `SELECT id, name, host, pid, engine, queues, running, memory_bytes, started_at, beat_at
     FROM worker_processes ORDER BY started_at, id`,
  );
}

const keyOf = (organization_id: string, delivery_id: string) => `${organization_id} ${delivery_id}`;

/**
 * The processes with what each has in hand by now. One that fell silent tells nothing more: what has ended since, waits
 * again or is in another one's hands is left out.
 */
export async function processesAtWork(connection: Connection, now: Date): Promise<WorkerProcess[]> {
  const processes = await workerProcesses(connection);
  const [alive, silent] = [true, false].map((each) =>
    processes.filter((process) => isAlive(process, now) === each).flatMap(({ running }) => running),
  ) as [RunningJob[], RunningJob[]];
  if (silent.length === 0) return processes;
  const rows = await connection.query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM outbox
     WHERE (organization_id, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       AND handed_over_at IS NOT NULL AND failed_at IS NULL`,
    [silent.map(({ organization_id }) => organization_id), silent.map(({ delivery_id }) => delivery_id)],
  );
  const left = new Set(rows.map(({ organization_id, id }) => keyOf(organization_id, id)));
  for (const { organization_id, delivery_id } of alive) left.delete(keyOf(organization_id, delivery_id));
  const isLeft = (job: RunningJob) => left.has(keyOf(job.organization_id, job.delivery_id));
  return processes.map((process) =>
    isAlive(process, now) ? process : { ...process, running: process.running.filter(isLeft) },
  );
}

/** Whether a process told something lately. A beat from the future is one of a clock that is ahead. */
export function isAlive({ beat_at }: WorkerProcess, now: Date): boolean {
  return now.getTime() - Date.parse(beat_at) < SILENCE;
}
