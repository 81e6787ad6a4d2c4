import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { listen } from '../../shared/db/listen.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import type { Backend } from './backend.ts';
import { handOver, handOverAgain, queuesWithWaiting } from './hand-over.ts';
import { seldom } from './seldom.ts';

export type RelayOptions = {
  database: Database;
  backend: Backend;
  /** The server itself, for LISTEN. */
  direct_url: string;
  /** The queues to feed, and how many deliveries of one organization each may hold at a time. */
  queues: readonly { queue: Queue; in_flight: number }[];
  log: Logger;
  clock: () => Date;
  /** Milliseconds after which a delivery that is not settled is looked for in its queue, and put again if lost. */
  lost_after?: number;
};

export type Relay = {
  /** Something is waiting, or a place has become free. */
  wake(): void;
  /** Stops after what it is doing. */
  end(): Promise<void>;
};

/** Finds what no notice told of: tries that are due again, notices lost with a connection. Milliseconds. */
const POLL = 1_000;

/**
 * Hands rows of the outbox over to the queues for as long as the process runs: at once when a commit says so, and
 * by a slow look otherwise. Any number of processes may do this at the same time.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, backend, queues, log, clock, lost_after = 60_000 } = options;
  let woken = Promise.withResolvers<void>();
  let ended = false;
  let searched_at = clock().getTime();
  const warn = seldom((reason) => log.warn({ reason }, 'The relay cannot hand over'), clock);
  const troubled = (error: Error) => log.warn({ reason: error.message }, 'The relay has lost a connection');
  const listening = listen({ url: options.direct_url, channel: 'outbox', heard: wake, troubled });
  const running = run();

  function wake(): void {
    woken.resolve();
  }

  async function run(): Promise<void> {
    while (!ended) {
      const timer = setTimeout(wake, POLL);
      await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers();
      if (ended) return;
      await guarded(feed);
      if (Math.abs(clock().getTime() - searched_at) > lost_after / 4) {
        searched_at = clock().getTime();
        for (const each of queues) await guarded(() => search(each.queue));
      }
    }
  }

  /** One batch a queue, then the next queue's: none waits for another one to be empty. */
  async function feed(): Promise<void> {
    const waiting = await queuesWithWaiting(database);
    for (const { queue, in_flight } of queues) {
      if (!waiting.has(queue)) continue;
      await guarded(async () => {
        if ((await handOver(database, backend, { queue, in_flight, now: clock() })) > 0) wake();
      });
    }
  }

  async function search(queue: Queue): Promise<void> {
    const now = clock();
    const before = new Date(now.getTime() - lost_after);
    const count = await handOverAgain(database, backend, { queue, before, now });
    if (count > 0) log.info({ queue, count }, 'Deliveries not settled yet were offered to their queue again');
  }

  /** A database or Redis that is away is waited for; the rows are safe where they are. */
  async function guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    wake,
    end: async () => {
      ended = true;
      wake();
      await listening.end();
      await running;
    },
  };
}
