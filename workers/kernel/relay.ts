import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { listen } from '../../shared/db/listen.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import type { Backend } from './backend.ts';
import { BATCH, dispatch, dispatchAgain, queuesWithWaiting, rebuild } from './dispatch.ts';
import { engineOf, rememberEngine } from './engine.ts';
import {
  livenessLock,
  missingProcesses,
  releaseForgotten,
  releaseJobsOf,
  releaseSweepsOf,
} from './liveness.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';

export type RelayOptions = {
  database: Database;
  backend: Backend;
  /** The server itself, for LISTEN. */
  direct_url: string;
  /** The queues to feed, how many deliveries of one organization each may hold, and how many a ticket. */
  queues: readonly { queue: Queue; in_flight: number; together?: number | undefined }[];
  /** As the rows that this process takes name it. */
  process_number: number;
  /** The deliveries that this process is claiming or running. */
  held: () => string[];
  /** False while the process must hand nothing over. */
  may_work: () => boolean;
  log: Logger;
  clock: () => Date;
  /** Milliseconds after which a delivery that is not settled is looked for in its queue, and queued again if lost. */
  lost_after?: number;
};

export type Relay = {
  /** Something is waiting. */
  wake(): void;
  /** A place has become free: soon enough to fill several at once. */
  freed(): void;
  /** Dispatches nothing more, after what it is doing; the process still counts as alive. */
  stop(): Promise<void>;
  /** Stops, and gives up the lock that says that the process is alive. */
  end(): Promise<void>;
};

/** Finds what no notice told of: tries that are due again, notices lost with a connection. Milliseconds. */
const POLL = 1_000;

/**
 * Places that become free are filled together: so many, or those of so many milliseconds, of which there are more
 * while the queues hold enough to do.
 */
const PLACES = 64;
const PATIENCE = { scarce: 10, plenty: 100 };

/** A process whose lock was missing for so many milliseconds is dead: one that lost its connection has it back by then. */
const DEAD_AFTER = 5_000;

/**
 * Hands rows of the outbox over to the queues for as long as the process runs: at once when a commit says so, and
 * by a slow look otherwise. Any number of processes may do this at the same time.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, backend, queues, process_number, held, log, clock, lost_after = 60_000 } = options;
  let woken = Promise.withResolvers<void>();
  let ended = false;
  let places = 0;
  /** What this process has dispatched, less what it has finished since. */
  let stock = 0;
  /** Whether rows may wait for other queues than those for which some did at the last look. */
  let look = true;
  let waiting: ReadonlySet<string> = new Set();
  let filling: NodeJS.Timeout | undefined;
  const missing = new Map<number, number>();
  const chores = [
    { every: POLL, at: 0, run: followEngine },
    { every: 2 * POLL, at: 0, run: freeDead },
    { every: 2 * POLL, at: 0, run: freeOwn },
    { every: lost_after / 4, at: clock().getTime(), run: search },
  ];
  const warn = warnOnceInAWhile((reason) => log.warn({ reason }, 'The relay cannot dispatch jobs'), clock);
  const lost = warnOnceInAWhile((reason) => log.warn({ reason }, 'The relay lost its connection'), clock);
  const troubled = (error: Error) => lost(reasonOf(error));
  const first = () => livenessLock(process_number);
  const listening = listen({ url: options.direct_url, channel: 'outbox', first, heard: wake, troubled });
  const looping = loop();

  function wake(): void {
    look = true;
    woken.resolve();
  }

  function freed(): void {
    places += 1;
    stock = Math.max(stock - 1, 0);
    if (places >= PLACES) woken.resolve();
    else filling ??= setTimeout(woken.resolve, stock > PLACES / 2 ? PATIENCE.plenty : PATIENCE.scarce);
  }

  async function loop(): Promise<void> {
    while (!ended) {
      const timer = setTimeout(wake, POLL);
      await woken.promise;
      clearTimeout(timer);
      clearTimeout(filling);
      filling = undefined;
      places = 0;
      woken = Promise.withResolvers();
      if (ended) return;
      if (!options.may_work()) continue;
      for (const chore of chores) {
        const now = clock().getTime();
        if (Math.abs(now - chore.at) < chore.every) continue;
        chore.at = now;
        await guarded(chore.run);
      }
      await guarded(feed);
    }
  }

  /** One batch a queue, then the next queue's: none waits for another one to be empty. */
  async function feed(): Promise<void> {
    if (look) waiting = await queuesWithWaiting(database);
    look = false;
    for (const { queue, in_flight, together } of queues) {
      if (!waiting.has(queue)) continue;
      await guarded(async () => {
        const count = await dispatch(database, backend, { queue, in_flight, together, now: clock() });
        stock += count;
        // After less than that nothing can be dispatched until a place is free or a commit announces more.
        if (count >= BATCH) woken.resolve();
      });
    }
  }

  /** The engine may be another one than before, or have lost what it held. */
  async function followEngine(): Promise<void> {
    const mark = await backend.mark();
    if ((await engineOf(database)) === mark) return;
    const count = await rebuild(database, backend, clock());
    await rememberEngine(database, mark);
    log.info(
      { count, backend: backend.kind },
      'The queue engine is new or was emptied; all dispatched jobs were queued again',
    );
  }

  async function freeDead(): Promise<void> {
    const of_queues = await Promise.all(queues.map(({ queue }) => backend.held(queue)));
    await database.withConnection(EVERY_ORGANIZATION, async (connection) => {
      const now = performance.now();
      const tickets = of_queues.flat();
      const gone = await missingProcesses(connection, tickets);
      for (const known of missing.keys()) if (!gone.includes(known)) missing.delete(known);
      for (const one of gone) if (!missing.has(one)) missing.set(one, now);
      const dead = gone.filter((one) => now - missing.get(one)! >= DEAD_AFTER);
      if (dead.length === 0) return;
      const count = await releaseJobsOf(connection, dead, tickets);
      if (count > 0) log.info({ count }, 'Released the jobs of a dead worker process');
      const sweeps = await releaseSweepsOf(connection, dead);
      if (sweeps.length > 0) log.info({ sweeps }, 'Released the sweeps of a dead worker process');
    });
  }

  async function freeOwn(): Promise<void> {
    const count = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      releaseForgotten(connection, process_number, held),
    );
    if (count > 0) log.info({ count }, 'Released jobs that this process claimed but did not finish');
  }

  /** What should be in a queue and perhaps is not. */
  async function search(): Promise<void> {
    const now = clock();
    const before = new Date(now.getTime() - lost_after);
    for (const { queue } of queues) {
      const count = await dispatchAgain(database, backend, { queue, before, now });
      if (count > 0) log.info({ queue, count }, 'Queued deliveries again that no worker claimed');
    }
  }

  /** A database or Redis that is away is waited for; the rows are safe where they are. */
  async function guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      warn(reasonOf(error));
    }
  }

  async function stop(): Promise<void> {
    ended = true;
    wake();
    await looping;
  }

  return {
    wake,
    freed,
    stop,
    end: async () => {
      await stop();
      await listening.end();
    },
  };
}
