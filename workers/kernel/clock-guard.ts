import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { clockDifference, clockWords, isClockWrong } from '../../shared/platform/operators/clock.ts';

/** Refuses a start with a clock that is far off. */
export async function requireRightClock(database: Database, clock: () => Date): Promise<void> {
  const difference = await clockDifference(database, clock);
  if (isClockWrong(difference))
    throw new StartupError(`${clockWords(difference)}: set it right and start the workers again.`);
}

export type ClockGuard = {
  /** False while the clock is far off: then nothing is claimed, dispatched or swept. */
  mayWork(): boolean;
  end(): void;
};

export type ClockGuardOptions = {
  database: Database;
  clock: () => Date;
  log: Logger;
  /** Called when the process must stop claiming jobs, and when it may resume. */
  changed: (may_work: boolean) => void;
  /** Milliseconds between two looks. */
  every?: number;
};

/** Looks at the clock for as long as the process runs: it may be set wrong, or right again, at any time. */
export function guardClock(options: ClockGuardOptions): ClockGuard {
  const { database, clock, log, changed, every = 5_000 } = options;
  let may_work = true;
  let looking = false;

  async function look(): Promise<void> {
    const difference = await clockDifference(database, clock);
    if (isClockWrong(difference) !== may_work) return;
    may_work = !may_work;
    if (may_work) log.warn('The clock is right again: the workers resume');
    else log.error(`${clockWords(difference)}: the workers take no jobs until it is right`);
    changed(may_work);
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    // A database that is away tells nothing of the clock; the relay says that it is away.
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }, every);
  return { mayWork: () => may_work, end: () => clearInterval(timer) };
}
