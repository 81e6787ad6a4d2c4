import type { Connection } from '../../kernel/connection.ts';

/** One schedule as operators see it: when it ran, when it runs next and how it went. */
export type ScheduleState = {
  name: string;
  /** null for one that an older release ran. */
  every_milliseconds: number | null;
  started_at: string;
  finished_at: string | null;
  is_running: boolean;
  succeeded_at: string | null;
  /** Rows or records that the last good run dealt with. */
  last_count: number | null;
  failed_at: string | null;
  last_error: string | null;
};

/** The schedule whose count reports a fault, see `orphanedWork`. */
export const ORPHANED_WORK = 'orphaned_work';

/** Rows without a delivery that the latest successful run found. */
export function orphanedWork(states: readonly ScheduleState[]): number {
  return states.find(({ name }) => name === ORPHANED_WORK)?.last_count ?? 0;
}

/** Every schedule that has run, by its name. */
export function scheduleStates(connection: Connection, now: Date): Promise<ScheduleState[]> {
  return connection.query<ScheduleState>(
    `SELECT name, every_milliseconds, started_at, finished_at, COALESCE(running_until > $1, false) AS is_running,
       succeeded_at, last_count, failed_at, last_error
     FROM sweeps ORDER BY name`,
    [now.toISOString()],
  );
}

/**
 * Has a schedule's time come now; the next process of workers that looks runs it. Answers whether that changed
 * something: one that runs, or of an older release, is left alone.
 */
export async function bringForward(connection: Connection, name: string, now: Date): Promise<boolean> {
  const rows = await connection.query(
    `UPDATE sweeps SET started_at = $2::timestamptz - every_milliseconds * interval '1 millisecond'
     WHERE name = $1 AND every_milliseconds IS NOT NULL AND (running_until IS NULL OR running_until <= $2)
     RETURNING name`,
    [name, now.toISOString()],
  );
  return rows.length === 1;
}

/** When a schedule runs next; in the past when it is due and not claimed. */
export function nextRun({ started_at, every_milliseconds }: ScheduleState): Date | null {
  return every_milliseconds === null ? null : new Date(Date.parse(started_at) + every_milliseconds);
}

/** Whether the latest run that ended has failed. */
export function isFailing({ failed_at, succeeded_at }: ScheduleState): boolean {
  return failed_at !== null && (succeeded_at === null || succeeded_at < failed_at);
}

/** Milliseconds that a schedule may be late: workers look once a second, and the claim of one that hangs ends after ten minutes. */
const LATE = 60_000;
const LONGEST_RUN = 10 * 60_000;

/** Milliseconds after which a schedule that no process runs counts as one of an older release. */
const RETIRED = 2 * 86_400_000;

/** Whether a due schedule was not run, or a run does not end. */
export function isOverdue(state: ScheduleState, now: Date): boolean {
  const late = lateness(state, now);
  const isOpen = state.finished_at === null || state.finished_at < state.started_at;
  return late > (isOpen ? LONGEST_RUN : LATE) && late < RETIRED;
}

/** Whether it is one that no release runs any more. */
export function isRetired(state: ScheduleState, now: Date): boolean {
  return state.every_milliseconds === null || lateness(state, now) >= RETIRED;
}

/** Milliseconds since a schedule's time came; below zero before. */
export function lateness(state: ScheduleState, now: Date): number {
  const next = nextRun(state);
  return next === null ? 0 : now.getTime() - next.getTime();
}
