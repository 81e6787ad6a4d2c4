import { Gauge, type Registry } from 'prom-client';
import type { Database } from './database.ts';

/** Tells how the connections of this process's pool are used. */
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
}
