import { createPostgresBackend, type Processor, Queue, Worker, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Queue as QueueName } from '../../shared/kernel/job.ts';

/** What travels through a queue: whose delivery it is. All else is read from the outbox when it is taken. */
export type Ticket = { organization_id: string };

/** The queues' engine: BullMQ on Redis where there is one, otherwise on PostgreSQL. */
export type Backend = {
  readonly kind: 'redis' | 'postgres';
  /** A queue to put tickets into; one object a name. */
  queue(name: QueueName): Queue<Ticket>;
  /** Takes tickets once `run()` is called on it. */
  worker(name: QueueName, take: Processor<Ticket>, options: { concurrency: number }): Worker<Ticket>;
  /** Throws when the engine cannot be reached. */
  ping(): Promise<void>;
  end(): Promise<void>;
};

export type BackendOptions = {
  redis_url: string | undefined;
  /** Not through a pooler: the queues LISTEN and have a `search_path` of their own. */
  database_url: string;
  /** A broken connection is told here; it is made again by itself. */
  troubled: (error: Error) => void;
};

/** The schema of BullMQ's tables; the name is fixed for pools that are handed to it. */
const SCHEMA = 'bullmq';

/**
 * One connection for each queue's LISTEN comes out of this pool too, so it must never be smaller than their number;
 * with fewer than 20, workers of all queues were seen waiting for each other.
 */
const POOL_SIZE = 24;

/**
 * A ticket of a process that died is taken again after LOCK at the latest plus STALLED. How often is no limit here:
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

/** A ticket leaves the queue when it was taken, whatever came of it: the outbox holds what is to be done still. */
const PUTTING = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/** Opens the engine; it connects when a queue or worker is made. */
export function openBackend(options: BackendOptions): Backend {
  return options.redis_url ? onRedis(options.redis_url, options) : onPostgres(options);
}

function onPostgres({ database_url, troubled }: BackendOptions): Backend {
  const pool = new pg.Pool({
    connectionString: database_url,
    max: POOL_SIZE,
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
  return {
    kind: 'postgres',
    queue: collected((name, forget) => {
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
    }),
    worker: (name, take, { concurrency }) => {
      const options = { ...TAKING, concurrency, connection: pool };
      const worker = new Worker(name, take, options, createPostgresBackend);
      worker.on('error', troubled);
      return worker as unknown as Worker<Ticket>;
    },
    ping: async () => {
      const { rows } = await pool.query("SELECT to_regclass('migration') IS NOT NULL AS made");
      if (!rows[0]?.made) throw new Error('their tables are missing, see npm run migrate');
    },
    end: () => pool.end(),
  };
}

function onRedis(url: string, { troubled }: BackendOptions): Backend {
  // Whoever puts tickets holds a transaction open meanwhile: better an error soon than a wait.
  const impatient = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    connectTimeout: 5_000,
  });
  impatient.on('error', troubled);
  return {
    kind: 'redis',
    queue: collected((name) => {
      const queue = new Queue<Ticket>(name, { connection: impatient, defaultJobOptions: PUTTING });
      queue.on('error', troubled);
      return queue;
    }),
    worker: (name, take, { concurrency }) => {
      const options: WorkerOptions = {
        ...TAKING,
        concurrency,
        connection: { url, maxRetriesPerRequest: null },
      };
      const worker = new Worker<Ticket>(name, take, options);
      worker.on('error', troubled);
      return worker;
    },
    ping: async () => {
      await impatient.ping();
    },
    end: async () => {
      impatient.disconnect();
    },
  };
}

/** Makes one object a name, and another one when it was to be forgotten. */
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
