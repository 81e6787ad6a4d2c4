import type { Work } from '../../../shared/kernel/work.ts';
import type { Delivery } from '../../kernel/handler.ts';
import { inDelivery } from '../../kernel/settle.ts';

/**
 * A transaction of this slice that commits also when another try of the job has begun: what the server has answered is certain,
 * and two slices share the rows.
 */
export function inOne<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  return inDelivery(delivery.database, delivery, delivery.clock(), run);
}
