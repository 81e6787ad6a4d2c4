import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../../shared/db/database.ts';
import { queueGauges } from '../../shared/outbox/gauges.ts';

export type Metrics = ReturnType<typeof apiMetrics>;

/** The numbers of one API process, by Prometheus' naming rules. */
export function apiMetrics(database: Database) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool, by state; waiting counts callers without one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = database.use();
      this.set({ state: 'used' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  queueGauges(registry, database, () => new Date());
  return {
    registry,
    /** Notes an answered request. */
    answered(endpoint: string, status: number, seconds: number) {
      duration.observe({ endpoint, status }, seconds);
    },
  };
}
