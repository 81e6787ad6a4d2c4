import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../shared/db/database.ts';
import { isThroughPooler, requireFitAddresses } from '../../shared/db/pooler.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { openLog } from '../../shared/kernel/log.ts';
import { serveUntilAsked } from '../../shared/kernel/process-life.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { readRelease } from '../../shared/kernel/version.ts';
import { type QueueShape, queueNames } from '../../shared/platform/queues.ts';
import type { WorkerSettings } from '../../shared/platform/settings/settings.ts';
import type { Sweep } from '../../shared/platform/sweeps/sweep.ts';
import { openBackend } from './backend.ts';
import { guardClock, requireRightClock } from './clock-guard.ts';
import { drain } from './drain.ts';
import type { Handled } from './handler.ts';
import { startHeartbeat } from './heartbeat.ts';
import { newProcessNumber } from './liveness.ts';
import { jobMetrics, openMetrics } from './metrics.ts';
import { openOutbox } from './outbox.ts';
import { startRelay } from './relay.ts';
import { requireInstallation, requireQueues } from './requirements.ts';
import { startSchedules } from './schedules.ts';
import { type Serving, serveQueue } from './serve.ts';
import { countThroughput } from './throughput.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';
import { watchInstallation } from './watch-installation.ts';

export type WorkersOptions = {
  settings: WorkerSettings;
  /** Every job and what runs it, also of queues that this process does not serve. */
  handled: readonly Handled[];
  shapes: Record<Queue, QueueShape>;
  sweeps: readonly Sweep[];
  /** The queues to serve, those without a handler left out; all others where absent. */
  chosen: readonly Queue[] | null;
  /** As the log names the process. */
  name: string;
};

/**
 * One process of workers: relay, schedules and the handlers of its queues. On SIGTERM, or when its parent is gone, it
 * drains and ends. Throws a StartupError where it cannot begin.
 */
export async function runWorkers({
  settings,
  handled,
  shapes,
  sweeps,
  chosen,
  name,
}: WorkersOptions): Promise<void> {
  const served = (chosen ?? queueNames).filter((queue) => handled.some(({ job }) => job.queue === queue));
  if (served.length === 0)
    throw new StartupError('This release has no job for the queues that --queues names.');
  const { log, end: endLog } = openLog(name, settings.logLevel);
  const release = readRelease(settings);
  log.info(release, 'The workers are starting');
  const clock = () => new Date();
  await requireFitAddresses(settings);
  const database = openDatabase({
    url: settings.databaseUrl,
    pool_size: settings.poolSize,
    connection_timeout: settings.poolTimeoutSeconds * 1_000,
    through_pooler: isThroughPooler(settings),
    application_name: 'business-operations-workers',
  });
  const warn = warnOnceInAWhile((reason) => log.warn({ reason }, 'The queues lost a connection'), clock);
  const installation = await requireInstallation(database, clock());
  const backend = openBackend({
    redis_url: settings.redisUrl,
    installation,
    database_url: settings.databaseDirectUrl,
    served: served.length,
    troubled: (error) => warn(reasonOf(error)),
  });
  await requireQueues(backend);
  await requireRightClock(database, clock);

  const process_number = newProcessNumber();
  const outbox = openOutbox(database, process_number);
  const registry = await openMetrics({ database, clock, settings, release });
  const histogram = jobMetrics(registry);
  const minutes = countThroughput(database, clock, log);
  const metrics: typeof histogram = {
    observe: (attempt) => {
      histogram.observe(attempt);
      minutes.count(attempt.queue, attempt.outcome);
    },
  };
  const servings: Serving[] = [];
  const changed = (may_work: boolean) => {
    for (const serving of servings) (may_work ? serving.resume() : serving.pause()).catch(() => undefined);
  };
  const guard = guardClock({ database, clock, log, changed });
  const relay = startRelay({
    database,
    backend,
    log,
    clock,
    direct_url: settings.databaseDirectUrl,
    process_number,
    queues: served.map((queue) => ({ queue, ...shapes[queue] })),
    held: () => servings.flatMap((serving) => serving.held()),
    may_work: guard.mayWork,
  });
  const handlers = new Map(handled.map((each) => [each.job.name, each]));
  for (const queue of served) {
    const { concurrency, ahead } = shapes[queue];
    const shared = { database, outbox, backend, handlers, log, metrics, clock, random: Math.random };
    servings.push(await serveQueue({ ...shared, queue, concurrency, ahead, freed: relay.freed }));
  }
  for (const { job, served: begin } of handled) if (served.includes(job.queue)) begin?.(log);
  const schedules = startSchedules({ database, sweeps, process_number, log, clock, may_work: guard.mayWork });
  const heartbeat = startHeartbeat({
    name,
    database,
    engine: backend.kind,
    may_work: guard.mayWork,
    log,
    clock,
    servings: new Map(served.map((queue, index) => [queue, servings[index]!])),
  });
  let draining = false;
  const end = async (why: string) => {
    if (draining) return;
    draining = true;
    guard.end();
    await drain({ why, servings, relay, schedules, minutes, log, clock });
    await Promise.race([heartbeat.end(), pause(1_000)]);
    await endLog();
    process.exit(0);
  };
  serveUntilAsked(end);
  watchInstallation({ database, installation, log, exchanged: end });
  // Last: who reads it may ask the process to end at once.
  log.info({ queues: served, backend: backend.kind }, 'The workers are ready');
}
