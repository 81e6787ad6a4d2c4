import pino from 'pino';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { type Backend, openBackend } from '../../workers/kernel/backend.ts';
import type { Handled } from '../../workers/kernel/handler.ts';
import { newProcessNumber } from '../../workers/kernel/liveness.ts';
import { openOutbox } from '../../workers/kernel/outbox.ts';
import { type Relay, startRelay } from '../../workers/kernel/relay.ts';
import { type Serving, serveQueue } from '../../workers/kernel/serve.ts';
import type { Engine } from './engines.ts';

export type Served = {
  backend: Backend;
  relay: Relay;
  serving: Serving;
  /** What handlers run: to be filled by the test. */
  handlers: Map<string, Handled>;
  end(): Promise<void>;
};

export type ServedOptions = {
  queue: Queue;
  concurrency?: number;
  in_flight?: number;
  lost_after?: number;
};

/** A relay and a worker of one queue in the test's own process. */
export async function serveHere(
  engine: Engine,
  { queue, concurrency = 4, in_flight = 10, lost_after = 2_000 }: ServedOptions,
): Promise<Served> {
  const { database, url } = engine.test_database;
  const backend = backendOf(engine);
  const handlers = new Map<string, Handled>();
  const process_number = newProcessNumber();
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const clock = () => new Date();
  const servings: Serving[] = [];
  const relay = startRelay({
    database,
    backend,
    log,
    clock,
    direct_url: url,
    process_number,
    lost_after,
    queues: [{ queue, in_flight }],
    held: () => servings.flatMap((each) => each.held()),
    may_work: () => true,
  });
  const serving = await serveQueue({
    database,
    backend,
    queue,
    handlers,
    log,
    clock,
    concurrency,
    freed: relay.freed,
    outbox: openOutbox(database, process_number),
    metrics: { observe: () => {} },
    // The shortest pauses between tries: half of the full ones.
    random: () => 1,
  });
  servings.push(serving);
  return {
    backend,
    relay,
    serving,
    handlers,
    end: async () => {
      await serving.drain();
      await relay.end();
      await backend.queue(queue).close();
      await backend.end();
    },
  };
}

/** The engine's queues as a process opens them. */
export function backendOf({ redis, test_database, installation }: Engine): Backend {
  return openBackend({
    redis_url: redis?.url,
    database_url: test_database.url,
    installation,
    served: 3,
    troubled: () => {},
  });
}

export type Asked = {
  organization_id?: string;
  payload?: unknown;
  starts?: number;
  priority?: number;
  job_id?: string;
};

/** Rows in the outbox as a commit would leave them, and its notice; answers the deliveries' IDs. */
export async function askFor(
  database: Database,
  { queue, name, count = 1 }: { queue: Queue; name: string; count?: number },
  { organization_id = 'org_x', payload = {}, starts = 0, priority = 2, job_id }: Asked = {},
): Promise<string[]> {
  const now = new Date();
  const ids = Array.from({ length: count }, () => newId('dlv', now));
  await database.withConnection('*', async ({ query }) => {
    await query(
      `INSERT INTO outbox (organization_id, id, queue, name, payload, created_at, starts, priority, job_id)
       SELECT $1, id, $3, $4, $5, $6, $7, $8, $9 FROM unnest($2::text[]) AS id`,
      [organization_id, ids, queue, name, payload, now.toISOString(), starts, priority, job_id ?? null],
    );
    await query("SELECT pg_notify('outbox', '')");
  });
  return ids;
}
