import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import { MOST_DIFFERENCE } from '../../shared/platform/operators/clock.ts';
import type { Sweep } from '../../shared/platform/sweeps/sweep.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';

export type SchedulesOptions = {
  database: Database;
  sweeps: readonly Sweep[];
  /** Stands in the claims of this process: another one releases them when it has died. */
  process_number: number;
  /** False while the process must start nothing. */
  may_work: () => boolean;
  log: Logger;
  clock: () => Date;
};

export type Schedules = { end(): Promise<void> };

const LOOK = 1_000;

/**
 * A claim ends after this many milliseconds, or the sweep's interval if longer, whatever its process does. That of a process that is
 * known to be dead is released before.
 */
const LONGEST_RUN = 10 * 60_000;

/**
 * Starts each sweep when its time has come, once however many processes do the same. One read a second tells which are
 * due: a process with nothing to do writes nothing.
 */
export function startSchedules(options: SchedulesOptions): Schedules {
  const { database, sweeps, process_number, may_work, log, clock } = options;
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  const warn = warnOnceInAWhile((reason) => log.warn({ reason }, 'Cannot read which sweeps are due'), clock);
  const looking = lookUntilTheEnd();

  async function lookUntilTheEnd(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        if (may_work()) await startDue(clock());
      } catch (error) {
        warn(reasonOf(error));
      }
      await pause(LOOK, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  async function startDue(now: Date): Promise<void> {
    const due = await dueSweeps(database, sweeps, now);
    for (const sweep of due.filter(({ name }) => !running.has(name))) {
      running.set(
        sweep.name,
        runIfMine(sweep, now).finally(() => running.delete(sweep.name)),
      );
    }
  }

  async function runIfMine(sweep: Sweep, now: Date): Promise<void> {
    try {
      if (await begins(database, sweep, { now, process_number })) await runSweep(sweep, now);
    } catch (error) {
      log.warn({ sweep: sweep.name, reason: reasonOf(error) }, 'Could not start a sweep');
    }
  }

  async function runSweep(sweep: Sweep, started_at: Date): Promise<void> {
    let count: number | null = null;
    let problem: string | null = null;
    try {
      count = await sweep.run(database, clock(), ending.signal);
      if (count > 0) log.info({ sweep: sweep.name, count }, 'A sweep finished');
    } catch (error) {
      problem = reasonOf(error);
      log.error({ sweep: sweep.name, reason: problem }, 'A sweep failed');
    }
    const is_latest = await ended(database, sweep, { started_at, now: clock(), count, problem });
    if (!is_latest)
      log.warn({ sweep: sweep.name }, 'A sweep outlasted its claim; another process started it again');
  }

  return {
    end: async () => {
      ending.abort(new Error('The process ends'));
      await looking;
      await Promise.all(running.values());
    },
  };
}

/**
 * Milliseconds by which another process may have started a sweep in this one's future: it looked at its clock later, and each clock
 * may be off. Without them two processes run it side by side.
 */
const AHEAD = 2 * MOST_DIFFERENCE;

const isFromTheFuture = (now: string) =>
  `sweeps.started_at > ${now}::timestamptz + ${AHEAD} * interval '1 ms'`;

/**
 * Whether a sweep's time has come at `now`, its interval in milliseconds. A clock that was set back must not stop it, so
 * a start in the far future counts as none.
 */
const isDue = (now: string, every: string) =>
  `(sweeps.started_at <= ${now}::timestamptz - ${every} * interval '1 ms' OR ${isFromTheFuture(now)})
   AND (sweeps.running_until IS NULL OR sweeps.running_until <= ${now} OR ${isFromTheFuture(now)})`;

async function dueSweeps(database: Database, sweeps: readonly Sweep[], now: Date): Promise<Sweep[]> {
  const rows = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query<{ name: string }>(
      `SELECT name FROM unnest($1::text[], $2::bigint[]) AS declared (name, every) LEFT JOIN sweeps USING (name)
       WHERE sweeps.name IS NULL OR (${isDue('$3', 'declared.every')})`,
      [sweeps.map(({ name }) => name), sweeps.map(({ every }) => every), now.toISOString()],
    ),
  );
  const due = new Set(rows.map(({ name }) => name));
  return sweeps.filter(({ name }) => due.has(name));
}

/** Claims a run in one statement: of all processes that see it due, one. */
export async function begins(
  database: Database,
  { name, every }: Sweep,
  { now, process_number }: { now: Date; process_number: number },
): Promise<boolean> {
  const running_until = new Date(now.getTime() + Math.max(every, LONGEST_RUN));
  const rows = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query(
      `INSERT INTO sweeps (name, started_at, running_until, every_milliseconds, taken_by) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (name) DO UPDATE SET started_at = $2, running_until = $3, every_milliseconds = $4, taken_by = $5
         WHERE ${isDue('$2', '$4::bigint')}
       RETURNING name`,
      [name, now.toISOString(), running_until.toISOString(), every, process_number],
    ),
  );
  return rows.length === 1;
}

type Ending = { started_at: Date; now: Date; count: number | null; problem: string | null };

/**
 * Writes how the run that was claimed at `started_at` ended, and answers false where another process has claimed the
 * sweep since: the row is then about that run, and its claim must stay. The last failure stays beside the last success,
 * so that one now and then is seen too.
 */
export async function ended(
  database: Database,
  { name }: Pick<Sweep, 'name'>,
  { started_at, now, count, problem }: Ending,
): Promise<boolean> {
  const rows = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query(
      `UPDATE sweeps SET running_until = NULL, taken_by = NULL, finished_at = $2, error = $3,
         succeeded_at = CASE WHEN $3::text IS NULL THEN $2::timestamptz ELSE succeeded_at END,
         last_count = COALESCE($4, last_count),
         failed_at = CASE WHEN $3::text IS NULL THEN failed_at ELSE $2::timestamptz END,
         last_error = COALESCE($3, last_error)
       WHERE name = $1 AND started_at = $5 RETURNING name`,
      [name, now.toISOString(), problem, count, started_at.toISOString()],
    ),
  );
  return rows.length === 1;
}
