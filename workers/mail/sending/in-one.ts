import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import type { Delivery } from '../../kernel/handler.ts';
import { inDelivery } from '../../kernel/settle.ts';

/** Milliseconds after which a database that is away is tried again. */
const PAUSE = 1_000;

/**
 * A transaction of this slice that commits also when another try of the job has begun: what the server has answered is certain,
 * and two slices share the rows.
 */
export function inOne<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  return inDelivery(delivery.database, delivery, delivery.clock(), run);
}

/**
 * The same, of what must not be lost because the database is away: what the server has answered stays in memory, and is written once the
 * database is back, for as long as the job may take. A row whose lease ran out meanwhile gets its outcome all the same. Whether a commit
 * that nobody answered took place is not known: `run` is to be safe to repeat, `again` runs before it then, in a transaction of its own.
 */
export async function inOnePatiently<T>(
  delivery: Delivery,
  run: (work: Work) => Promise<T>,
  again?: (work: Work) => Promise<void>,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      if (!isFirst && again) await inOne(delivery, again);
      return await inOne(delivery, run);
    } catch (error) {
      const isAway = error instanceof Failure && error.code === 'unavailable';
      if (!isAway || delivery.signal.aborted) throw error;
      await pause(PAUSE);
    }
  }
}
