import { once } from 'node:events';
import { createServer } from 'node:http';
import { Histogram, Registry } from 'prom-client';
import type { Database } from '../../shared/db/database.ts';
import { poolGauge } from '../../shared/db/pool-gauge.ts';
import { measures } from '../../shared/domains.ts';
import { plainAddress } from '../../shared/kernel/networks.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import type { Release } from '../../shared/kernel/version.ts';
import { buildInfo } from '../../shared/platform/operators/build-info.ts';
import { serviceGauges } from '../../shared/platform/operators/gauges.ts';
import { processMetrics } from '../../shared/platform/operators/process-metrics.ts';
import { readOnceIn } from '../../shared/platform/operators/read-once.ts';
import { troubleCounter } from '../../shared/platform/operators/trouble.ts';
import { watcherCheck } from '../../shared/platform/operators/watchers.ts';
import type { WorkerSettings } from '../../shared/platform/settings/settings.ts';
import type { Outcome } from './attempt.ts';

/** Milliseconds for which one text serves all who ask. */
const FRESH = 1_000;

export type JobMetrics = {
  observe(attempt: { queue: string; job: string; outcome: Outcome['kind']; seconds: number }): void;
};

/** Duration and outcome of tries; each worker process exposes its own. */
export function jobMetrics(registry: Registry): JobMetrics {
  const duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of one try of a job, by its outcome: done, again, hopeless (given up), postponed (it waits for other jobs), stopped (handed back) or overtaken (another try had begun)',
    // Prometheus itself calls what it asks a `job`, so the label is another word.
    labelNames: ['queue', 'job_name', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
    registers: [registry],
  });
  return {
    observe: ({ queue, job, outcome, seconds }) =>
      duration.observe({ queue, job_name: job, outcome }, seconds),
  };
}

export type MetricsOptions = {
  database: Database;
  clock: () => Date;
  settings: WorkerSettings;
  release: Release;
};

/**
 * The metrics of this process, served at `/metrics` on WORKERS_METRICS_PORT to the same readers as the API's.
 * Throws a StartupError when the port is in use.
 */
export async function openMetrics({ database, clock, settings, release }: MetricsOptions): Promise<Registry> {
  const { host, workersMetricsPort: port } = settings;
  const registry = new Registry();
  processMetrics(registry);
  buildInfo(registry, release);
  poolGauge(registry, database);
  serviceGauges(registry, { database, clock, measures });
  troubleCounter(registry);
  if (port === undefined) return registry;
  const isWatcher = watcherCheck(settings);
  const read = readOnceIn(FRESH, () => registry.metrics());
  const server = createServer(async ({ url, headers, socket }, response) => {
    if (url !== '/metrics') return response.writeHead(404).end();
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!isWatcher({ socket_address: address, client_address: address, headers }))
      return response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    try {
      const numbers = await read();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(numbers);
    } catch {
      response.writeHead(503).end();
    }
  }).listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new StartupError(`WORKERS_METRICS_PORT cannot be listened on: ${error.message}.`);
  });
  return registry;
}
