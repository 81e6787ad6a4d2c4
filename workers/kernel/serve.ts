import { setTimeout as pause } from 'node:timers/promises';
import { type Job as BullJob, WaitingError } from 'bullmq';
import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { priorities, type Queue } from '../../shared/kernel/job.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { type Outcome, runAttempt } from './attempt.ts';
import { type Backend, deliveriesOf, isHigh, type Ticket } from './backend.ts';
import { afterRetry, type GivingUp, giveUp } from './giving-up.ts';
import type { Handled } from './handler.ts';
import type { JobMetrics } from './metrics.ts';
import type { Claimed, Offered, Outbox, Start } from './outbox.ts';
import { pauseAfter, pauseOfRefused } from './pauses.ts';
import { placesOf } from './places.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';

export type ServeOptions = {
  database: Database;
  outbox: Outbox;
  backend: Backend;
  queue: Queue;
  concurrency: number;
  /** How many tickets are held beyond those that are worked on; none where absent. */
  ahead?: number;
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
  /** The deliveries that are being claimed, run or settled. */
  held(): string[];
  /** Claims no more until `resume`; running jobs continue. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Takes no more and tells jobs that work in parts to stop after one; resolves when nothing runs any more. */
  drain(): Promise<void>;
  /** Asks running jobs to stop; they go back to the queue, and the try is not counted as failed. */
  handBack(): void;
  /** The deliveries that went back to the queue unfinished. */
  handedBack(): readonly string[];
};

/** How often a job may end its process before it fails for good: most restarts are not the job's fault. */
const MOST_DEATHS = 25;

/** Milliseconds until a ticket goes back that could not be looked up. */
const AWAY = 1_000;
const UNKNOWN = Symbol('The database is away, or nothing is to begin');

/** Takes deliveries from one queue and runs their handlers. */
export async function serveQueue(options: ServeOptions): Promise<Serving> {
  const {
    database,
    outbox,
    backend,
    queue,
    concurrency,
    ahead = 0,
    handlers,
    metrics,
    clock,
    random,
    freed,
  } = options;
  const running = new Map<string, Running>();
  const held = new Set<string>();
  const claiming = new Map<string, Promise<void>>();
  const handed_back: string[] = [];
  const draining = new AbortController();
  const stopping = new AbortController();
  const { process_number } = outbox;
  const places = placesOf(concurrency);
  const worker = backend.worker(queue, take, { concurrency: concurrency + ahead, process_number });
  const warn = warnOnceInAWhile(
    (reason) => options.log.warn({ queue, reason }, 'A queue ticket failed'),
    clock,
  );
  worker.on('failed', (_, error) => warn(error.message));
  await worker.waitUntilReady();
  const loop = worker.run();
  loop.catch((error) => options.log.error({ reason: String(error) }, 'The worker of a queue has stopped'));

  /** What goes back of a ticket that stands for several goes alone and at once: the others may take long. */
  async function take(ticket: BullJob<Ticket>, token?: string): Promise<void> {
    const again = ticket.stalledCounter > 0;
    const is_urgent = isHigh(ticket.opts);
    const [first, ...others] = deliveriesOf(ticket.data).map((handed) => ({ ...handed, again }));
    if (others.length === 0) {
      if (!(await goesBack(first!, is_urgent))) return;
      await ticket.moveToWait(token);
      throw new WaitingError();
    }
    const ended = [first!, ...others].map(async (offered) => {
      const alone = { ...offered, name: ticket.name, priority: priorities.high };
      if (await goesBack(offered, is_urgent)) await backend.put(queue, [alone]);
    });
    for (const each of await Promise.allSettled(ended)) if (each.status === 'rejected') throw each.reason;
  }

  /**
   * Never throws for a job's sake: what becomes of it stands in the outbox, and the ticket is used up. Where the
   * database is away the ticket goes back; where it is away when the outcome is to be written the ticket is used up
   * too, and the relay frees what this process does not hold any more.
   */
  async function goesBack(offered: Offered, is_urgent: boolean): Promise<boolean> {
    const { delivery_id } = offered;
    // The one before may be void, where a process died and came back: it must not use this one up.
    while (claiming.has(delivery_id)) await claiming.get(delivery_id);
    // Taken twice at the same time: the queue lost the lock of this process while it was busy.
    if (held.has(delivery_id)) return false;
    held.add(delivery_id);
    const known = Promise.withResolvers<void>();
    claiming.set(delivery_id, known.promise);
    let has_place = await places.take(is_urgent);
    const leave = () => {
      if (has_place) places.give();
      has_place = false;
    };
    try {
      const claimed = has_place ? await outbox.claim(offered).catch(() => pause(AWAY, UNKNOWN)) : UNKNOWN;
      claiming.delete(delivery_id);
      known.resolve();
      return claimed === UNKNOWN || (claimed !== null && (await isStopped(claimed, offered, leave)));
    } finally {
      leave();
      held.delete(delivery_id);
      running.delete(delivery_id);
      freed();
    }
  }

  /** Runs a claimed delivery; true when it must go back to the queue. */
  async function isStopped(
    claimed: Claimed,
    { organization_id, delivery_id }: Offered,
    leave: () => void,
  ): Promise<boolean> {
    const { name, starts, hand_overs } = claimed;
    const since = clock();
    running.set(delivery_id, { job: name, delivery_id, organization_id, since });
    const start = { organization_id, delivery_id, starts, hand_overs, process_number };
    const kind = await work(start, claimed, () => {
      running.delete(delivery_id);
      leave();
    });
    const seconds = (clock().getTime() - since.getTime()) / 1000;
    metrics.observe({ queue, job: name, outcome: kind, seconds });
    if (kind === 'stopped') handed_back.push(delivery_id);
    return kind === 'stopped';
  }

  /** Runs the handler and writes its outcome; `overtaken` where another try has started meanwhile. */
  async function work(
    start: Start,
    { name, payload, attempts, retried_at }: Claimed,
    returned: () => void,
  ): Promise<Outcome['kind']> {
    const { organization_id, delivery_id } = start;
    const log = options.log.child({ job: name, delivery_id, organization_id, attempt: attempts + 1 });
    const handled = handlers.get(name);
    const ending = () => ({ database, handled, payload, now: clock(), log });
    const deaths = start.starts - 1 - attempts;
    const outcome =
      deaths >= MOST_DEATHS
        ? diedOf(deaths)
        : await runAttempt({
            database,
            outbox,
            handled,
            payload,
            start,
            attempt: attempts + 1,
            log,
            clock,
            returned,
            draining: draining.signal,
            stopping: stopping.signal,
            first: async () => {
              if (retried_at !== null) await afterRetry(ending(), start);
            },
          });
    const isMine = await written(outcome, start, { attempts, ending });
    if (isMine && outcome.kind === 'hopeless') log.error({ reason: outcome.error }, 'A job failed for good');
    if (!isMine) log.info('Another try of the job has started; this one wrote nothing');
    return isMine ? outcome.kind : 'overtaken';
  }

  /** Writes the outcome of a try; false where another try has started. */
  async function written(
    outcome: Outcome,
    start: Start,
    { attempts, ending }: { attempts: number; ending: () => GivingUp },
  ): Promise<boolean> {
    if (outcome.kind === 'done') return true;
    if (outcome.kind === 'overtaken') return false;
    if (outcome.kind === 'stopped') return outbox.uncount(start);
    if (outcome.kind === 'hopeless')
      return giveUp(ending(), start, { reason: outcome.error, told: outcome.told });
    const counts = outcome.kind === 'again' && !outcome.is_refused;
    const due_at = new Date(clock().getTime() + waitOf(outcome, attempts + 1));
    return outbox.postpone(start, { due_at, error: outcome.error, counts });
  }

  /** Milliseconds until the next try. */
  function waitOf(outcome: Outcome & { kind: 'again' | 'postponed' }, tries: number): number {
    if (outcome.kind === 'postponed') return outcome.milliseconds;
    if (outcome.is_refused) return pauseOfRefused(random());
    return outcome.pause ?? pauseAfter(tries, random());
  }

  return {
    running: () => [...running.values()],
    held: () => [...held],
    pause: () => {
      places.close();
      return worker.pause(true);
    },
    resume: () => {
      places.open();
      return worker.resume();
    },
    drain: () => {
      draining.abort(new Error('The process is to end'));
      places.close();
      return worker.close();
    },
    handedBack: () => handed_back,
    handBack: () => stopping.abort(new Error('The process ends')),
  };
}

function diedOf(deaths: number): Outcome & { kind: 'hopeless' } {
  const told = { code: 'process_ended', message: reasons.work_died(deaths).en };
  return { kind: 'hopeless', error: reasons.died(deaths).en, told };
}
