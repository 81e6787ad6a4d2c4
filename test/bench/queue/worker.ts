import pino from 'pino';
import { z } from 'zod';
import { openDatabase } from '../../../shared/db/database.ts';
import { job } from '../../../shared/kernel/job.ts';
import { queues } from '../../../shared/platform/queues.ts';
import { openBackend } from '../../../workers/kernel/backend.ts';
import { handles } from '../../../workers/kernel/handler.ts';
import { newProcessNumber } from '../../../workers/kernel/liveness.ts';
import { openOutbox } from '../../../workers/kernel/outbox.ts';
import { startRelay } from '../../../workers/kernel/relay.ts';
import { type Serving, serveQueue } from '../../../workers/kernel/serve.ts';

/**
 * One process of workers with a handler that does nothing: `bare` takes tickets from BullMQ alone, `ours` runs the
 * relay and what stands around a job too. It tells whenever another so many jobs have ended.
 */
const queue = 'email';
const STEP = 100;
const { concurrency, ahead } = queues[queue];
const { DATABASE_URL: url = '', REDIS_URL: redis_url, BENCH_KIND: kind } = process.env;
const backend = openBackend({
  redis_url,
  database_url: url,
  installation: 'inst_bench',
  served: 1,
  troubled: () => {},
});

let ended = 0;
const count = () => {
  ended += 1;
  if (ended % STEP === 0) process.send?.({ ended });
};

if (kind === 'bare') {
  const worker = backend.worker(queue, async () => count(), { concurrency, process_number: 1 });
  await worker.waitUntilReady();
  worker.run();
} else {
  const nothing = job({
    name: 'bench.nothing',
    queue,
    attempts: 3,
    time_limit: 10_000,
    payload: z.object({}),
  });
  const database = openDatabase({ url, pool_size: 10 });
  const log = pino({ level: 'warn' });
  const clock = () => new Date();
  const process_number = newProcessNumber();
  let serving: Serving | undefined;
  const relay = startRelay({
    database,
    backend,
    log,
    clock,
    direct_url: url,
    process_number,
    queues: [{ queue, ...queues[queue] }],
    held: () => serving?.held() ?? [],
    may_work: () => true,
  });
  const handlers = new Map([[nothing.name, handles(nothing, async () => {})]]);
  serving = await serveQueue({
    outbox: openOutbox(database, process_number),
    database,
    backend,
    queue,
    concurrency,
    ahead,
    handlers,
    log,
    clock,
    random: Math.random,
    metrics: { observe: count },
    freed: relay.freed,
  });
}
process.send?.({ ready: true });
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
