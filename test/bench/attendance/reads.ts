import assert from 'node:assert/strict';
import type { TestDatabase } from '../../support/database.ts';
import { median, quantile } from '../imports/measuring.ts';
import { processorTime } from '../queue/processor.ts';
import type { Server } from '../servers.ts';
import { call } from './calls.ts';
import type { Workforce } from './year.ts';

const TIMES = Number(process.env['BENCH_TIMES'] ?? 40);

type Read = { name: string; aim: number | null; path: (whose: Workforce) => string };

const reads: readonly Read[] = [
  { name: 'status', aim: 25, path: () => '/punches/status' },
  { name: 'overview', aim: 25, path: () => '/overview' },
  {
    name: 'history of 31 days',
    aim: 40,
    path: ({ member_id }) => `/punches/history?member_id=${member_id}&limit=31`,
  },
  { name: 'history of 31 days, all: 50', aim: 40, path: () => '/punches/history?limit=50' },
  { name: 'my-monthly', aim: null, path: () => '/reports/my-monthly' },
  { name: 'monthly: 50', aim: 100, path: () => '/reports/monthly?limit=50' },
  { name: 'limits: 50', aim: 100, path: () => '/limits?limit=50' },
  { name: 'members/overview: 50', aim: 100, path: () => '/members/overview?limit=50' },
  { name: 'dashboard', aim: 150, path: () => '/dashboard' },
  {
    name: 'dashboard of a department',
    aim: 150,
    path: ({ department_id }) => `/dashboard?department_id=${department_id}`,
  },
];

type Spent = { wall: number[]; api: number; database: number };

/**
 * Each read of an organization with a year beside that of one with a month, in turns, one call at a time: by the clock, and
 * what it takes of a processor in the API and in the database, which hardly moves with what else the machine does.
 */
export async function readsTable(
  api: Server,
  test_database: TestDatabase,
  year: Workforce,
  month: Workforce,
): Promise<string> {
  const lines = [
    '| | p50 ms | p95 ms | aim, p95 | processor, ms: API + database | with one month: p50 ms | processor, ms | processor, year/month (aim 1.5) |',
    '|---|---|---|---|---|---|---|---|',
  ];
  for (const read of reads) {
    const spent = [emptied(), emptied()];
    for (let round = -1; round < 4; round += 1) {
      for (const [place, whose] of [year, month].entries()) {
        const own = spent[place]!;
        const before = await processorTime(api.pid, test_database, undefined);
        const times = await timesOf(api, whose, read.path(whose), round < 0 ? 10 : TIMES / 4);
        if (round < 0) continue;
        const after = await processorTime(api.pid, test_database, undefined);
        own.wall.push(...times);
        own.api += after.worker - before.worker;
        own.database += after.database - before.database;
      }
    }
    lines.push(lineOf(read, spent[0]!, spent[1]!));
  }
  return lines.join('\n');
}

function emptied(): Spent {
  return { wall: [], api: 0, database: 0 };
}

function lineOf({ name, aim }: Read, year: Spent, month: Spent): string {
  const per = (total: number, { wall }: Spent) => total / wall.length;
  const cpu = (spent: Spent) => per(spent.api + spent.database, spent);
  const parts = (spent: Spent) =>
    `${per(spent.api, spent).toFixed(1)} + ${per(spent.database, spent).toFixed(1)}`;
  return `| ${[
    name,
    median(year.wall).toFixed(0),
    quantile(year.wall, 0.95).toFixed(0),
    aim ?? '',
    parts(year),
    median(month.wall).toFixed(0),
    parts(month),
    (cpu(year) / cpu(month)).toFixed(2),
  ].join(' | ')} |`;
}

async function timesOf(api: Server, { owner }: Workforce, path: string, count: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) {
    const began = performance.now();
    const reply = await call(api, owner, 'GET', `/attendance${path}`);
    await reply.arrayBuffer();
    times.push(performance.now() - began);
    assert.equal(reply.status, 200, path);
  }
  return times;
}
