import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import type { Delivery } from '../../kernel/handler.ts';
import { inDelivery } from '../../kernel/settle.ts';

/** How often a database that is away is tried again, each after a second: the leases of rows last longer. */
const TRIES = 20;

/**
 * A transaction of this slice that commits also when another try of the job has begun: what the server has answered is certain,
 * and two slices share the rows.
 */
export function inOne<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  return inDelivery(delivery.database, delivery, delivery.clock(), run);
}

/** The same, of what must not be lost because the database is away for a moment: what the server has answered. */
export async function inOnePatiently<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inOne(delivery, run);
    } catch (error) {
      const isAway = error instanceof Failure && error.code === 'unavailable';
      if (!isAway || tries === TRIES || delivery.signal.aborted) throw error;
      await pause(1_000);
    }
  }
}
