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

/** Calls that do not count: plans and code get warm. */
const WARM_UP = 10;

/** Hosts that take turns, how many bookings all of them have in the month ahead, and p95 in milliseconds that is aimed at. */
const cases = [
  { hosts: 1, ahead: AHEAD / 50, aim: 25 },
  { hosts: 50, ahead: AHEAD, aim: 80 },
  { hosts: 200, ahead: AHEAD, aim: 200 },
] as const;

/** p95 of a booking in milliseconds that is aimed at, where no calendar is asked. */
const BOOKING_AIM = 120;

/**
 * What the slots of 31 days at step 15 cost, one call at a time: by the clock, and of a processor in the API and in the database;
 * then the same beside as many past bookings of these hosts and types as `BENCH_PAST` says. And what a guest's booking of them costs.
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
    const org_slug = (await json(await call(api, actor, 'GET', '/organization'))).organization.slug;
    const bench: Bench = { api, test_database, actor, types, org_slug };
    const before = await all(bench);
    await dropOtherIndexes(test_database);
    await bookedBefore(test_database.database, actor, PAST);
    await vacuum();
    const after = await all(bench);
    for (const [place, { hosts, aim }] of cases.entries()) {
      const [one, other] = [before[place]!, after[place]!];
      const row = [`${hosts}: slots`, one.slots, clockOf(one.listing), aim, processorOf(one.listing)];
      lines.push(`| ${[...row, clockOf(other.listing), processorOf(other.listing)].join(' | ')} |`);
      const booking = [`${hosts}: booking`, '', clockOf(one.booking), BOOKING_AIM, processorOf(one.booking)];
      lines.push(`| ${[...booking, clockOf(other.booking), processorOf(other.booking)].join(' | ')} |`);
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

type Bench = {
  api: Server;
  test_database: TestDatabase;
  actor: TestActor;
  types: readonly string[];
  org_slug: string;
};

/** Milliseconds of each call by the clock, and of a processor of all together. */
type Spent = { wall: number[]; api: number; database: number };

type Case = { slots: number; listing: Spent; booking: Spent };

async function all(bench: Bench): Promise<Case[]> {
  const measured: Case[] = [];
  for (const id of bench.types) {
    const path = `/scheduler/event-types/${id}/slots`;
    const list = async () => (await json(await call(bench.api, bench.actor, 'GET', path))).slots;
    const listing = await spent(bench, list);
    const slots: { start: string }[] = await list();
    // Far enough apart that no booking stands in the way of the next one.
    const starts = slots.filter((_, place) => place % 4 === 0).map(({ start }) => start);
    const booking = await spent(bench, (time) => book(bench, id, starts[time]!, time));
    measured.push({ slots: slots.length, listing, booking });
  }
  return measured;
}

/** Calls ten times, then as often as `BENCH_TIMES` says: these count. */
async function spent(
  { api, test_database }: Bench,
  request: (time: number) => Promise<unknown>,
): Promise<Spent> {
  for (let time = 0; time < WARM_UP; time += 1) await request(time);
  const before = await processorTime(api.pid, test_database, undefined);
  const wall: number[] = [];
  while (wall.length < TIMES) {
    const began = performance.now();
    await request(WARM_UP + wall.length);
    wall.push(performance.now() - began);
  }
  const after = await processorTime(api.pid, test_database, undefined);
  return { wall, api: after.worker - before.worker, database: after.database - before.database };
}

async function book(
  { api, actor, org_slug }: Bench,
  type_id: string,
  start: string,
  time: number,
): Promise<void> {
  const guest = { name: '佐藤 花子', email: `guest${time}@example.com` };
  const path = `/scheduler/p/${org_slug}/${type_id.replace('_', '-')}/book`;
  await json(await call(api, actor, 'POST', path, { start, guest }));
}

async function json(reply: Response) {
  const text = await reply.text();
  assert.ok(reply.ok, `${reply.status} ${text}`);
  return JSON.parse(text);
}

function clockOf({ wall }: Spent): string {
  return `${median(wall).toFixed(0)}, ${quantile(wall, 0.95).toFixed(0)}`;
}

function processorOf({ wall, api, database }: Spent): string {
  return `${(api / wall.length).toFixed(1)} + ${(database / wall.length).toFixed(1)}`;
}
