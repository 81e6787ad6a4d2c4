import { Gauge, type Registry } from 'prom-client';
import { type Database, EVERY_ORGANIZATION } from '../db/database.ts';
import { queueNumbers } from './numbers.ts';

/**
 * Depth, age and lag of the queues, read from the outbox whenever the registry is asked. Without a database they are
 * absent, and the other numbers can still be had.
 */
export function queueGauges(registry: Registry, database: Database, clock: () => Date): void {
  const gauge = (name: string, help: string, labelNames: string[] = ['queue']) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const lag = gauge('outbox_lag_seconds', 'How long the oldest due job has waited to be handed to its queue');
  const age = gauge('queue_oldest_job_seconds', 'Age of the oldest job that is due or in its queue');
  const depth = new Gauge({
    name: 'queue_depth',
    help: 'Jobs by state: waiting in the outbox, in_flight in the queue or with a worker, failed and kept',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      for (const each of [depth, age, lag]) each.reset();
      const rows = await database
        .withConnection(EVERY_ORGANIZATION, (connection) => queueNumbers(connection, clock()))
        .catch(() => []);
      for (const { queue, waiting, in_flight, failed, oldest_seconds, lag_seconds } of rows) {
        depth.set({ queue, state: 'waiting' }, waiting);
        depth.set({ queue, state: 'in_flight' }, in_flight);
        depth.set({ queue, state: 'failed' }, failed);
        age.set({ queue }, oldest_seconds ?? 0);
        lag.set({ queue }, lag_seconds ?? 0);
      }
    },
  });
}
