import { parseArgs } from 'node:util';
import pino from 'pino';
import { openDatabase } from '../shared/db/database.ts';
import { type Queue, queues } from '../shared/kernel/job.ts';
import { Refusal } from '../shared/refusal.ts';
import { readSettings } from '../shared/settings.ts';
import { handlersOf } from './handlers.ts';
import { openBackend } from './kernel/backend.ts';
import { drain } from './kernel/drain.ts';
import { jobMetrics, openMetrics } from './kernel/metrics.ts';
import { startRelay } from './kernel/relay.ts';
import { startSchedules } from './kernel/schedules.ts';
import { seldom } from './kernel/seldom.ts';
import { type Serving, serveQueue } from './kernel/serve.ts';
import { queueShapes } from './queues.ts';
import { sweeps } from './sweeps.ts';

/**
 * The workers' process: relay, schedules and the handlers of its queues. `--queues email,csv-import` chooses among
 * them; all that have a handler otherwise. On SIGTERM, or when its parent is gone, it drains and ends.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const handled = handlersOf(settings);
  const chosen = chosenQueues(new Set(handled.map(({ job }) => job.queue)));
  const log = pino({ level: settings.logLevel, base: { process: 'workers' } });
  const clock = () => new Date();
  const database = openDatabase({
    url: settings.databaseUrl,
    pool_size: settings.poolSize,
    application_name: 'business-operations-workers',
  });
  const warn = seldom((reason) => log.warn({ reason }, 'The queues have lost a connection'), clock);
  const troubled = (error: Error) => warn(error.message);
  const backend = openBackend({
    redis_url: settings.redisUrl,
    database_url: settings.databaseDirectUrl,
    troubled,
  });
  await backend.ping().catch((error: Error) => {
    throw new Refusal(`The queues cannot be used: ${error.message}.`);
  });
  const registry = openMetrics({ database, clock, port: settings.workersMetricsPort });
  const relay = startRelay({
    ...{ database, backend, log, clock, direct_url: settings.databaseDirectUrl },
    queues: chosen.map((queue) => ({ queue, in_flight: queueShapes[queue].in_flight })),
  });
  const handlers = new Map(handled.map((each) => [each.job.name, each]));
  const metrics = jobMetrics(registry);
  const servings: Serving[] = [];
  for (const queue of chosen) {
    const { concurrency } = queueShapes[queue];
    const shared = { database, backend, handlers, log, metrics, clock, random: Math.random };
    servings.push(await serveQueue({ ...shared, queue, concurrency, freed: relay.wake }));
  }
  const schedules = startSchedules({ database, sweeps, log, clock });
  log.info({ queues: chosen, backend: backend.kind }, 'The workers are ready');
  process.send?.({ ready: true });

  let draining = false;
  const end = async (why: string) => {
    if (draining) return;
    draining = true;
    await drain({ why, servings, relay, schedules, log, clock });
    process.exit(0);
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('disconnect', () => end('the parent is gone'));
}

function chosenQueues(served: ReadonlySet<Queue>): Queue[] {
  const { values } = parseArgs({ options: { queues: { type: 'string' } } });
  if (values.queues === undefined) return queues.filter((queue) => served.has(queue));
  return values.queues.split(',').map((name) => {
    const queue = queues.find((known) => known === name.trim());
    if (!queue) throw new Refusal(`--queues takes names with commas between them, of: ${queues.join(', ')}.`);
    return queue;
  });
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Refusal ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
});
