import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';

/** Work that time asks for, found by looking at dated rows: nothing is lost when a look is missed. */
export type Sweep = {
  name: string;
  /** Milliseconds from one start to the next. */
  every: number;
  /** Does what is due at `now` and answers how much that was. Safe to run twice. */
  run: (database: Database, now: Date, signal: AbortSignal) => Promise<number>;
};

export type SchedulesOptions = {
  database: Database;
  sweeps: readonly Sweep[];
  /** False while the process must start nothing. */
  may_work: () => boolean;
  log: Logger;
  clock: () => Date;
};

export type Schedules = { end(): Promise<void> };

const LOOK = 1_000;

/** A sweep whose process died is started by another one after this many milliseconds, or its interval if longer. */
const LONGEST_RUN = 10 * 60_000;

/** Starts each sweep when its time has come, once however many processes do the same. */
export function startSchedules({ database, sweeps, may_work, log, clock }: SchedulesOptions): Schedules {
  const ending = new AbortController();
  const loops = sweeps.map((sweep) => loop(sweep));

  async function loop(sweep: Sweep): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        if (may_work() && (await begins(database, sweep, clock()))) await runSweep(sweep);
      } catch (error) {
        log.warn({ sweep: sweep.name, reason: reasonOf(error) }, 'A sweep could not be started');
      }
      await pause(Math.min(sweep.every, LOOK), ending.signal);
    }
  }

  async function runSweep(sweep: Sweep): Promise<void> {
    let count: number | null = null;
    let problem: string | null = null;
    try {
      count = await sweep.run(database, clock(), ending.signal);
      if (count > 0) log.info({ sweep: sweep.name, count }, 'A sweep has done what was due');
    } catch (error) {
      problem = reasonOf(error);
      log.error({ sweep: sweep.name, reason: problem }, 'A sweep has failed');
    }
    await ended(database, sweep, { now: clock(), count, problem });
  }

  return {
    end: async () => {
      ending.abort(new Error('The process ends'));
      await Promise.all(loops);
    },
  };
}

/**
 * Claims a run in one statement. A clock that was set back must not stop the sweep, so a start in the future counts
 * as none.
 */
export async function begins(database: Database, { name, every }: Sweep, now: Date): Promise<boolean> {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  const rows = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query(
      `INSERT INTO sweeps (name, started_at, running_until, every_milliseconds) VALUES ($1, $2, $3, $5)
       ON CONFLICT (name) DO UPDATE SET started_at = $2, running_until = $3, every_milliseconds = $5
         WHERE (sweeps.started_at <= $4 OR sweeps.started_at > $2)
           AND (sweeps.running_until IS NULL OR sweeps.running_until <= $2 OR sweeps.started_at > $2)
       RETURNING name`,
      [name, at(0), at(Math.max(every, LONGEST_RUN)), at(-every), every],
    ),
  );
  return rows.length === 1;
}

type Ending = { now: Date; count: number | null; problem: string | null };

/** The last failure stays beside the last success, so that one now and then is seen too. */
async function ended(database: Database, { name }: Sweep, { now, count, problem }: Ending): Promise<void> {
  await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query(
      `UPDATE sweeps SET running_until = NULL, finished_at = $2, error = $3,
         succeeded_at = CASE WHEN $3::text IS NULL THEN $2::timestamptz ELSE succeeded_at END,
         last_count = COALESCE($4, last_count),
         failed_at = CASE WHEN $3::text IS NULL THEN failed_at ELSE $2::timestamptz END,
         last_error = COALESCE($3, last_error)
       WHERE name = $1`,
      [name, now.toISOString(), problem, count],
    ),
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
