import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from './database.ts';

/** Tells how the connections of this process's pool are used, and how many statements they hold prepared. */
export function poolGauge(registry: Registry, database: Database): void {
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool of this process, by state; waiting counts callers without one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = database.use();
      this.set({ state: 'used' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'database_prepared_statements',
    help: 'Statements that the open connections of this process hold prepared.',
    registers: [registry],
    collect() {
      this.set(database.prepared().held);
    },
  });
  new Counter({
    name: 'database_prepared_statements_evicted_total',
    help: 'Prepared statements that were closed to make room for others; it grows where more texts are in use than a connection may hold.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(database.prepared().evicted);
    },
  });
}
