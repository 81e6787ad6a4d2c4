import { Histogram, Registry } from 'prom-client';
import type { Database } from '../../shared/db/database.ts';
import { poolGauge } from '../../shared/db/pool-gauge.ts';
import { serviceGauges } from '../../shared/operators/gauges.ts';
import { processMetrics } from '../../shared/operators/process-metrics.ts';
import { troubleCounter } from '../../shared/operators/trouble.ts';

export type Metrics = ReturnType<typeof apiMetrics>;

/** The numbers of one API process, by Prometheus' naming rules. */
export function apiMetrics(database: Database) {
  const registry = new Registry();
  processMetrics(registry);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  poolGauge(registry, database);
  serviceGauges(registry, database, () => new Date());
  troubleCounter(registry);
  return {
    registry,
    /** Notes an answered request. */
    answered(endpoint: string, status: number, seconds: number) {
      duration.observe({ endpoint, status }, seconds);
    },
  };
}
