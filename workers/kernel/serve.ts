import { type Job as BullJob, WaitingError } from 'bullmq';
import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { runAttempt } from './attempt.ts';
import type { Backend, Ticket } from './backend.ts';
import type { Handled } from './handler.ts';
import type { JobMetrics } from './metrics.ts';
import { claim, giveUp, postpone, uncount } from './outbox.ts';
import { pauseAfter } from './pauses.ts';

export type ServeOptions = {
  database: Database;
  backend: Backend;
  queue: Queue;
  concurrency: number;
  handlers: ReadonlyMap<string, Handled>;
  log: Logger;
  metrics: JobMetrics;
  clock: () => Date;
  random: () => number;
  /** Called when a place has become free. */
  freed: () => void;
};

/** A job that is being worked on. */
export type Running = { job: string; delivery_id: string; organization_id: string; since: Date };

export type Serving = {
  running(): Running[];
  /** Takes no more; resolves when all that is running has ended. */
  drain(): Promise<void>;
  /** Tells what is running still to stop; it goes back to the queue and is no failed try. */
  handBack(): void;
};

/** How often a job may end its process before it is given up: many restarts are no fault of the job. */
const MOST_DEATHS = 25;

/** Takes deliveries from one queue and runs their handlers. */
export async function serveQueue(options: ServeOptions): Promise<Serving> {
  const { database, backend, queue, concurrency, handlers, metrics, clock, random, freed } = options;
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const worker = backend.worker(queue, take, { concurrency });
  await worker.waitUntilReady();
  const loop = worker.run();
  loop.catch((error) => options.log.error({ reason: String(error) }, 'The worker of a queue has stopped'));

  /**
   * Never throws for a job's sake: what becomes of it stands in the outbox, and the ticket is used up. A database that
   * is away does throw; then the ticket is used up too, and the search for lost tickets puts it again.
   */
  async function take(ticket: BullJob<Ticket>, token?: string): Promise<void> {
    const delivery_id = ticket.id as string;
    const { organization_id } = ticket.data;
    const on = <T>(write: (connection: Parameters<typeof claim>[0]) => Promise<T>) =>
      database.withConnection(organization_id, write);
    const claimed = await on((connection) => claim(connection, organization_id, delivery_id));
    if (!claimed) return;
    const { name, payload, attempts, starts } = claimed;
    const since = clock();
    const log = options.log.child({ job: name, delivery_id, organization_id, attempt: attempts + 1 });
    running.set(delivery_id, { job: name, delivery_id, organization_id, since });
    const deaths = starts - 1 - attempts;
    try {
      const outcome =
        deaths >= MOST_DEATHS
          ? ({ kind: 'hopeless', error: `The process ended ${deaths} times while it ran this job` } as const)
          : await runAttempt({
              ...{ database, handled: handlers.get(name), payload, organization_id, delivery_id },
              ...{ attempt: attempts + 1, stopping: stopping.signal, log, clock },
            });
      const seconds = (clock().getTime() - since.getTime()) / 1000;
      metrics.observe({ queue, job: name, outcome: outcome.kind, seconds });
      if (outcome.kind === 'stopped') {
        await on((connection) => uncount(connection, organization_id, delivery_id));
        await ticket.moveToWait(token);
        throw new WaitingError();
      }
      if (outcome.kind === 'again') {
        const due_at = new Date(clock().getTime() + pauseAfter(attempts + 1, random()));
        await on((connection) => postpone(connection, organization_id, delivery_id, { due_at, ...outcome }));
      }
      if (outcome.kind === 'hopeless') {
        log.error({ reason: outcome.error }, 'A job is given up');
        const { error } = outcome;
        await on((connection) =>
          giveUp(connection, organization_id, delivery_id, { failed_at: clock(), error }),
        );
      }
    } finally {
      running.delete(delivery_id);
      freed();
    }
  }

  return {
    running: () => [...running.values()],
    drain: () => worker.close(),
    handBack: () => stopping.abort(new Error('The process ends')),
  };
}
