import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Gauges that the library names like counters, which Prometheus' rules refuse; their kinds are told by others. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Tells memory, processor time, event loop and garbage collection of this process. */
export function processMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
