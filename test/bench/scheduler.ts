import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { bookAhead, bookedBefore, seedHosts, seedType } from '../support/many-booked.ts';
import { call } from './attendance/calls.ts';
import { median, quantile } from './imports/measuring.ts';
import { processorTime } from './queue/processor.ts';
import { type Server, startServer } from './servers.ts';

const TIMES = Number(process.env['BENCH_TIMES'] ?? 40);
const AHEAD = Number(process.env['BENCH_AHEAD'] ?? 10_000);
const PAST = Number(process.env['BENCH_PAST'] ?? 1_000_000);

/** Hosts that take turns, how many bookings all of them have in the month ahead, and p95 in milliseconds that is aimed at. */
const cases = [
  { hosts: 1, ahead: AHEAD / 50, aim: 25 },
  { hosts: 50, ahead: AHEAD, aim: 80 },
  { hosts: 200, ahead: AHEAD, aim: 200 },
] as const;

/**
 * What the slots of 31 days at step 15 cost, one call at a time: by the clock, and of a processor in the API and in the database;
 * then the same beside as many past bookings of these hosts and types as `BENCH_PAST` says.
 */
export async function bench(): Promise<string> {
  const test_database = await freshDatabase({ statement_timeout: 1_800_000 });
  const folder = mkdtempSync(join(tmpdir(), 'bench-scheduler-'));
  const actor = await newActor(test_database.database);
  const types: string[] = [];
  for (const { hosts, ahead } of cases) {
    const user_ids = await seedHosts(test_database.database, actor, hosts);
    const id = await seedType(test_database.database, actor, user_ids);
    await bookAhead(test_database.database, actor, { event_type_id: id, user_ids, count: ahead });
    types.push(id);
  }
  const vacuum = () => test_database.database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  await vacuum();
  const environment = {
    DATABASE_URL: test_database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const api = await startServer('ours', 'api/main.ts', environment);
  try {
    const lines = [
      `${AHEAD} bookings ahead, ${PAST} past, load ${loadavg()[0]!.toFixed(0)}`,
      '',
      '| hosts | slots | p50, p95 ms | aim, p95 | processor, ms: API + database | beside past bookings: p50, p95 ms | processor, ms |',
      '|---|---|---|---|---|---|---|',
    ];
    const before = await all(api, test_database, actor, types);
    await dropOtherIndexes(test_database);
    await bookedBefore(test_database.database, actor, PAST);
    await vacuum();
    const after = await all(api, test_database, actor, types);
    for (const [place, { hosts, aim }] of cases.entries()) {
      const [one, other] = [before[place]!, after[place]!];
      lines.push(
        `| ${hosts} | ${one.slots} | ${clockOf(one)} | ${aim} | ${processorOf(one)} | ${clockOf(other)} | ${processorOf(other)} |`,
      );
    }
    return lines.join('\n');
  } finally {
    await api.stop();
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** To keep the indexes that the database needs for other questions would take most of the time of a million rows. */
async function dropOtherIndexes({ database }: TestDatabase): Promise<void> {
  await database.withConnection('*', async ({ query }) => {
    await query('ALTER TABLE scheduler_occupancies DROP CONSTRAINT scheduler_occupancies_do_not_overlap');
    for (const index of ['search', 'by_guest', 'by_status', 'by_change', 'by_start', 'by_type']) {
      await query(`DROP INDEX IF EXISTS scheduler_bookings_${index}`);
    }
  });
}

type Spent = { slots: number; wall: number[]; api: number; database: number };

async function all(
  api: Server,
  test_database: TestDatabase,
  actor: TestActor,
  types: readonly string[],
): Promise<Spent[]> {
  const spent: Spent[] = [];
  for (const id of types) {
    const path = `/scheduler/event-types/${id}/slots`;
    await timesOf(api, actor, path, 10);
    const before = await processorTime(api.pid, test_database, undefined);
    const { slots, wall } = await timesOf(api, actor, path, TIMES);
    const after = await processorTime(api.pid, test_database, undefined);
    spent.push({
      slots,
      wall,
      api: after.worker - before.worker,
      database: after.database - before.database,
    });
  }
  return spent;
}

async function timesOf(
  api: Server,
  actor: TestActor,
  path: string,
  count: number,
): Promise<{ slots: number; wall: number[] }> {
  const wall: number[] = [];
  let slots = 0;
  while (wall.length < count) {
    const began = performance.now();
    const reply = await call(api, actor, 'GET', path);
    const text = await reply.text();
    wall.push(performance.now() - began);
    assert.equal(reply.status, 200, text);
    slots = JSON.parse(text).slots.length;
  }
  return { slots, wall };
}

function clockOf({ wall }: Spent): string {
  return `${median(wall).toFixed(0)}, ${quantile(wall, 0.95).toFixed(0)}`;
}

function processorOf({ wall, api, database }: Spent): string {
  return `${(api / wall.length).toFixed(1)} + ${(database / wall.length).toFixed(1)}`;
}
