import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { z } from 'zod';
import { transaction } from '../../shared/db/transaction.ts';
import { newId } from '../../shared/kernel/id.ts';
import { job } from '../../shared/kernel/job.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { openBackend } from '../../workers/kernel/backend.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { has_redis, startRedis } from '../support/redis.ts';
import { type ProcessorTime, processorTime } from './queue/processor.ts';

const JOBS = Number(process.env.BENCH_JOBS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ORGANIZATIONS = 100;
const queue = 'email';
const nothing = job({ name: 'bench.nothing', queue, attempts: 3, time_limit: 10_000, payload: z.object({}) });

type Engine = { name: string; test_database: TestDatabase; redis_url: string | undefined };

/** Jobs a second from the commit that asks for them to their receipts, beside the bare queue in turns. */
export async function bench(): Promise<string> {
  const redis = has_redis ? await startRedis() : null;
  const lines = [
    '| | jobs/s | ours/bare | aim | worker | database | Redis |',
    '|---|---|---|---|---|---|---|',
  ];
  try {
    for (const name of (process.env.BENCH_ENGINES ?? (redis ? 'redis,postgres' : 'postgres')).split(',')) {
      const test_database = await freshDatabase();
      const engine = { name, test_database, redis_url: name === 'redis' ? redis?.url : undefined };
      lines.push(...(await measure(engine)));
      await test_database.drop();
    }
  } finally {
    await redis?.stop();
  }
  return lines.join('\n');
}

type Run = { rate: number; used: ProcessorTime };

async function measure(engine: Engine): Promise<string[]> {
  const runs: { ours: Run; bare: Run }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await run(engine, 'bare', () => putBare(engine));
    const ours = await run(engine, 'ours', () => askFor(engine));
    if (round > 0 || ROUNDS === 0) runs.push({ ours, bare });
  }
  const ratio = median(runs.map(({ ours, bare }) => ours.rate / bare.rate)).toFixed(2);
  const row = (kind: 'ours' | 'bare', compared: string) => {
    const of = (read: (one: Run) => number) => Math.round(median(runs.map((each) => read(each[kind]))));
    const used = (['worker', 'database', 'redis'] as const).map((part) => of((one) => one.used[part]));
    return `| ${engine.name}, ${kind} | ${of((one) => one.rate)} | ${compared} | ${used.join(' | ')} |`;
  };
  return [row('bare', '|'), row('ours', `${ratio} | 0.8`)];
}

/** Jobs a second from the first that is asked for to the last that has ended, and microseconds for each of them. */
async function run(engine: Engine, kind: 'ours' | 'bare', ask: () => Promise<void>): Promise<Run> {
  // The server of the tests leaves the dead rows of the turns before where they are; that of a service does not.
  await engine.test_database.database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const worker = await startWorker(engine, kind);
  const used = () => processorTime(worker.pid!, engine.test_database, engine.redis_url);
  const all = new Promise<void>((done) => {
    worker.on('message', ({ ended }: { ended: number }) => {
      if (ended >= JOBS) done();
    });
  });
  const before = await used();
  const began = performance.now();
  await ask();
  await all;
  const rate = (JOBS * 1000) / (performance.now() - began);
  const after = await used();
  const exited = once(worker, 'exit');
  worker.kill('SIGTERM');
  await exited;
  const each = (part: keyof ProcessorTime) => ((after[part] - before[part]) * 1000) / JOBS;
  return { rate, used: { worker: each('worker'), database: each('database'), redis: each('redis') } };
}

async function startWorker({ test_database, redis_url }: Engine, kind: string): Promise<ChildProcess> {
  const folder = process.env.BENCH_PROFILE;
  const worker = fork(resolve(import.meta.dirname, 'queue/worker.ts'), [], {
    env: {
      ...process.env,
      DATABASE_URL: test_database.url,
      ...(redis_url && { REDIS_URL: redis_url }),
      BENCH_KIND: kind,
    },
    execArgv: folder && kind === 'ours' ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [],
  });
  await once(worker, 'message');
  return worker;
}

const BATCH = 500;

async function putBare({ test_database, redis_url }: Engine): Promise<void> {
  const backend = openBackend({
    redis_url,
    database_url: test_database.url,
    installation: 'inst_bench',
    served: 0,
    troubled: () => {},
  });
  for (let first = 0; first < JOBS; first += BATCH) {
    const tickets = Array.from({ length: BATCH }, () => {
      const delivery_id = newId('dlv', new Date());
      return {
        name: nothing.name,
        data: { organization_id: 'org_x', delivery_id, hand_over: 1 },
        opts: { jobId: delivery_id },
      };
    });
    await backend.queue(queue).addBulk(tickets);
  }
  await backend.queue(queue).close();
  await backend.end();
}

async function askFor({ test_database }: Engine): Promise<void> {
  const { database } = test_database;
  for (let first = 0; first < JOBS; first += BATCH) {
    const organization_id = `org_${(first / BATCH) % ORGANIZATIONS}`;
    await database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const who = { actor: systemActor, request_id: null, ip_address: null };
        const work = new Work({ connection, organization_id, now: new Date(), ...who });
        work.nothingChanged();
        for (let count = 0; count < BATCH; count++) work.enqueue(nothing, {});
        await commit(work.finish());
      }),
    );
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
