import { Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../../shared/db/database.ts';
import { poolGauge } from '../../shared/db/pool-gauge.ts';
import { measures } from '../../shared/domains.ts';
import type { Release } from '../../shared/kernel/version.ts';
import { buildInfo } from '../../shared/platform/operators/build-info.ts';
import { serviceGauges } from '../../shared/platform/operators/gauges.ts';
import { processMetrics } from '../../shared/platform/operators/process-metrics.ts';
import { troubleCounter } from '../../shared/platform/operators/trouble.ts';
import type { SurroundingsWatch } from '../surroundings.ts';

export type Metrics = ReturnType<typeof apiMetrics>;

type Told = { database: Database; surroundings: SurroundingsWatch; release: Release };

/** The numbers of one API process, by Prometheus' naming rules. */
export function apiMetrics({ database, surroundings, release }: Told) {
  const registry = new Registry();
  processMetrics(registry);
  buildInfo(registry, release);
  surroundingsGauges(registry, surroundings);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  poolGauge(registry, database);
  serviceGauges(registry, { database, clock: () => new Date(), measures });
  troubleCounter(registry);
  return {
    registry,
    /** Notes an answered request. */
    answered(endpoint: string, status: number, seconds: number) {
      duration.observe({ endpoint, status }, seconds);
    },
  };
}

/** Whether files can be kept and scanned, and how far this process's clock is off. */
function surroundingsGauges(registry: Registry, surroundings: SurroundingsWatch): void {
  new Gauge({
    name: 'storage_up',
    help: 'Whether the store of files has answered this process when it looked last',
    registers: [registry],
    async collect() {
      const { storage } = await surroundings.latest();
      this.set(storage === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'scanner_up',
    help: 'Whether clamd has answered this process when it looked last; absent without CLAMD_URL',
    registers: [registry],
    async collect() {
      const { scanner } = await surroundings.latest();
      if (scanner === undefined) this.remove();
      else this.set(scanner === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'clock_offset_seconds',
    help: "Seconds that the clock of this process is ahead of the database's; absent while nobody knows",
    registers: [registry],
    async collect() {
      const { clock_difference } = await surroundings.latest();
      if (clock_difference === null) this.remove();
      else this.set(clock_difference / 1000);
    },
  });
}
