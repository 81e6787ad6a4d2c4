import { randomUUID } from 'node:crypto';
import {
  createPostgresBackend,
  type JobsOptions,
  type Processor,
  Queue,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Queue as QueueName } from '../../shared/kernel/job.ts';
import type { HeldTicket } from './liveness.ts';
import type { Handed } from './outbox.ts';
import { redisTrouble } from './redis-trouble.ts';

/**
 * What travels through a queue: whose delivery it is, and which hand-over. All else is read from the outbox. Where many
 * wait, one ticket stands for several (`others`): what a ticket costs is more than what the outbox does for a job.
 */
export type Ticket = Handed & { others?: readonly Handed[] };

/** A ticket to be put, with the outbox's priority: 1 high, 2 normal, 3 low. */
export type NewTicket = Handed & { name: string; priority: number };

/** The queues' engine: BullMQ on Redis where there is one, otherwise on PostgreSQL. */
export type Backend = {
  readonly kind: 'redis' | 'postgres';
  /** The queue as BullMQ shows it; one object a name. */
  queue(name: QueueName): Queue<Ticket>;
  /**
   * Puts tickets into a queue; those that are there already stay as they are. Up to `together` of the same priority
   * travel as one: that one may be put twice, of which the claim makes nothing.
   */
  put(name: QueueName, tickets: readonly NewTicket[], together?: number): Promise<void>;
  /** The tickets that processes hold and have not completed. */
  held(name: QueueName): Promise<HeldTicket[]>;
  /** Takes tickets once `run()` is called on it. */
  worker(name: QueueName, take: Processor<Ticket>, options: TakeOptions): Worker<Ticket>;
  /**
   * A word that stays the same as long as the engine has lost nothing: another engine, a Redis that was emptied and
   * one that was started again have another one. Throws when the engine cannot be reached.
   */
  mark(): Promise<string>;
  /** Throws when the engine cannot be reached. */
  ping(): Promise<void>;
  /** Writes a key and removes it. Throws when the engine cannot be reached; an `EngineRefusal` when it takes no writes. */
  tryWrite(): Promise<void>;
  end(): Promise<void>;
};

export type TakeOptions = {
  concurrency: number;
  /** Stands in the tickets that this process holds. */
  process_number: number;
};

export type BackendOptions = {
  redis_url: string | undefined;
  /** The installation whose tickets these are: a restored copy may share its Redis with the original. */
  installation: string;
  /** Not through a pooler: the queues LISTEN and have a `search_path` of their own. */
  database_url: string;
  /** How many queues this process serves; 0 for one that only puts and looks. */
  served: number;
  /** Called when a connection breaks; it reconnects by itself. */
  troubled: (error: Error) => void;
};

/** The schema of BullMQ's tables; the name is fixed for pools that are handed to it. */
const SCHEMA = 'bullmq';

/**
 * Connections of a process: one for the LISTEN of each queue that it serves, and some for what they do. With three a
 * queue, workers of all queues were seen waiting for each other.
 */
const poolSize = (served: number) => 4 * served + 2;

/**
 * A dead process's ticket is delivered again after LOCK plus STALLED at the latest. How often is not limited here:
 * the outbox counts the starts.
 */
const TAKING = {
  autorun: false,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1_000,
  drainDelay: 5,
} as const;

/** A ticket leaves the queue once it is delivered, whatever its outcome: the outbox holds the work that is left. */
const PUTTING = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/** Opens the engine; it connects when a queue or worker is made. */
export function openBackend(options: BackendOptions): Backend {
  return options.redis_url ? onRedis(options.redis_url, options) : onPostgres(options);
}

function onPostgres({ database_url, served, troubled }: BackendOptions): Backend {
  const pool = new pg.Pool({
    connectionString: database_url,
    max: poolSize(served),
    options: `-c search_path=${SCHEMA}`,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'business-operations-queues',
  });
  // Every queue and worker listens to the one pool for broken connections.
  pool.setMaxListeners(0);
  pool.on('error', troubled);
  // BullMQ listens on none of the clients that it has taken out; whose connection breaks learns it from the query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const queue = collected((name, forget) => {
    const queue = new Queue(
      name,
      { connection: pool, defaultJobOptions: PUTTING },
      createPostgresBackend,
    ) as unknown as Queue<Ticket>;
    queue.on('error', troubled);
    // A queue whose first look at its tables failed answers with that failure for good.
    queue.waitUntilReady().catch(() => {
      forget();
      queue.close().catch(() => undefined);
    });
    return queue;
  });
  const ping = async () => {
    const { rows } = await pool.query("SELECT to_regclass('migration') IS NOT NULL AS made");
    if (!rows[0]?.made) throw new Error('their tables are missing, see npm run migrate');
  };
  return {
    kind: 'postgres',
    queue,
    put: (name, tickets, together = 1) => putInto(queue(name), tickets, together),
    held: (name) => heldIn(queue(name)),
    worker: (name, take, { concurrency, process_number }) => {
      const options = { ...TAKING, concurrency, name: `${process_number}`, connection: pool };
      const worker = new Worker(name, take, options, createPostgresBackend);
      worker.on('error', troubled);
      return worker as unknown as Worker<Ticket>;
    },
    // Tickets stand beside the outbox: whatever happens to the database happens to both.
    mark: async () => 'postgres',
    ping,
    // Whether the database takes writes is seen by every request that makes a job.
    tryWrite: ping,
    end: () => pool.end(),
  };
}

function onRedis(url: string, { troubled, installation }: BackendOptions): Backend {
  const prefix = `business-operations:${installation}`;
  // Whoever puts tickets holds a transaction open meanwhile: better an error soon than a wait.
  const impatient = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    connectTimeout: 5_000,
  });
  let trouble: Error | undefined;
  impatient.on('error', (error) => {
    trouble = error;
    troubled(error);
  });
  impatient.on('ready', () => {
    trouble = undefined;
  });
  const ask = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((cause) => {
      throw redisTrouble(cause, trouble);
    });
  const queue = collected((name) => {
    const made = new Queue<Ticket>(name, { connection: impatient, prefix, defaultJobOptions: PUTTING });
    made.on('error', troubled);
    return made;
  });
  return {
    kind: 'redis',
    queue,
    put: (name, tickets, together = 1) => ask(putInto(queue(name), tickets, together)),
    held: (name) => ask(heldIn(queue(name))),
    worker: (name, take, { concurrency, process_number }) => {
      const options: WorkerOptions = {
        ...TAKING,
        concurrency,
        prefix,
        name: `${process_number}`,
        connection: { url, maxRetriesPerRequest: null },
      };
      const worker = new Worker<Ticket>(name, take, options);
      worker.on('error', troubled);
      return worker;
    },
    mark: async () => {
      const run = /^run_id:(\w+)/m.exec(await ask(impatient.info('server')))?.[1];
      const known = await ask(impatient.get(MARK));
      if (known) return `redis ${run} ${known}`;
      await ask(impatient.set(MARK, randomUUID(), 'NX'));
      return `redis ${run} ${await ask(impatient.get(MARK))}`;
    },
    ping: async () => {
      await ask(impatient.ping());
    },
    tryWrite: async () => {
      const key = `${prefix}:trial:${randomUUID()}`;
      await ask(impatient.set(key, '', 'PX', TRIAL));
      await ask(impatient.del(key));
    },
    end: async () => {
      impatient.disconnect();
    },
  };
}

/** Milliseconds after which a key that was written for trial is gone, though whoever wrote it died before its removal. */
const TRIAL = 10_000;

/** A key that is lost when Redis is emptied. */
const MARK = 'business-operations:mark';

/**
 * BullMQ takes tickets without a priority before those with one, and of the same priority the one that was put first:
 * so an urgent one passes all others, and waits for no urgent one that was put later.
 */
const PLACES: Record<number, { priority?: number }> = { 1: {}, 2: { priority: 1 }, 3: { priority: 2 } };

/** Whether a ticket was put with a high priority. */
export function isHigh({ priority }: JobsOptions): boolean {
  return !priority;
}

async function putInto(queue: Queue<Ticket>, tickets: readonly NewTicket[], together: number): Promise<void> {
  if (tickets.length === 0) return;
  await queue.addBulk(bundled(tickets, together).map(bullJob));
}

/** Neighbours of the same priority, so many at most in each part. */
function bundled(tickets: readonly NewTicket[], together: number): NewTicket[][] {
  const bundles: NewTicket[][] = [];
  for (const ticket of tickets) {
    const last = bundles.at(-1);
    if (last && last.length < together && last[0]!.priority === ticket.priority) last.push(ticket);
    else bundles.push([ticket]);
  }
  return bundles;
}

function bullJob([first, ...others]: NewTicket[]): { name: string; data: Ticket; opts: JobsOptions } {
  const { name, priority, delivery_id, hand_over } = first!;
  const place = PLACES[priority];
  if (others.length > 0)
    return { name, data: { ...handedOf(first!), others: others.map(handedOf) }, opts: { ...place } };
  return { name, data: handedOf(first!), opts: { jobId: `${delivery_id}-${hand_over}`, ...place } };
}

function handedOf({ organization_id, delivery_id, hand_over }: Handed): Handed {
  return { organization_id, delivery_id, hand_over };
}

/** All deliveries for which a ticket stands. */
export function deliveriesOf({ others = [], ...first }: Ticket): Handed[] {
  return [first, ...others];
}

/** More than all processes hold of one queue at a time. */
const MOST_HELD = 1_000;

async function heldIn(queue: Queue<Ticket>): Promise<HeldTicket[]> {
  const tickets = await queue.getJobs(['active'], 0, MOST_HELD);
  return tickets
    .filter((ticket) => ticket?.processedBy)
    .flatMap(({ data, processedBy }) =>
      deliveriesOf(data).map((handed) => ({ ...handed, process_number: Number(processedBy) })),
    );
}

/** Keeps one object for each name, until the name is dropped. */
function collected(
  make: (name: QueueName, forget: () => void) => Queue<Ticket>,
): (name: QueueName) => Queue<Ticket> {
  const made = new Map<QueueName, Queue<Ticket>>();
  return (name) => {
    const known = made.get(name);
    if (known) return known;
    const queue = make(name, () => made.delete(name));
    made.set(name, queue);
    return queue;
  };
}
