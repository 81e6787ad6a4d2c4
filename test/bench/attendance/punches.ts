import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { seedDays } from '../../support/many-days.ts';
import { median } from '../imports/measuring.ts';
import { type Server, startServer } from '../servers.ts';
import { call } from './calls.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 1_000);
const MINUTE = Number(process.env['BENCH_MINUTE'] ?? 60_000);
const CONNECTIONS = 32;

/** A member with a key. */
type Person = { actor: TestActor; member_id: string };

/**
 * Punches beside a bare server that checks the credential and inserts the row, in turns on one database; and a thousand
 * members who clock in within a minute.
 */
export async function punchesTable(): Promise<string> {
  const test_database = await freshDatabase({ statement_timeout: 600_000 });
  const environment = {
    DATABASE_URL: test_database.url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const ours = await startServer('ours', 'api/main.ts', environment);
  const bare = await startServer('bare', 'test/bench/baselines/punches.ts', environment);
  try {
    const owner = await newActor(test_database.database);
    const people = await peopleOf(test_database, owner);
    return [
      '| | ours/s | bare/s | ours/bare | aim |',
      '|---|---|---|---|---|',
      await punches(ours, bare, owner, people),
      '',
      '| | result | aim |',
      '|---|---|---|',
      await withinAMinute(ours, test_database),
    ].join('\n');
  } finally {
    await ours.stop();
    await bare.stop();
    await test_database.drop();
  }
}

/** Members of an organization, each with a key. */
async function peopleOf({ database }: TestDatabase, { organization_id }: TestActor): Promise<Person[]> {
  const people: Person[] = [];
  while (people.length < MEMBERS) {
    const actor = await newActor(database, { organization_id, role: 'member' });
    const [own] = await database.withConnection(organization_id, ({ query }) =>
      query<{ id: string }>('SELECT id FROM attendance_members WHERE organization_id = $1 AND user_id = $2', [
        organization_id,
        actor.user_id,
      ]),
    );
    people.push({ actor, member_id: own!.id });
  }
  // Plans of tables that were empty when they were made are kept until the server looks at them.
  await seedDays(database, { organization_id } as TestActor, {
    members: 100,
    from: '2026-05-01',
    to: '2026-10-31',
  });
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  return people;
}

const TYPES = ['clock_in', 'break_start', 'break_end', 'clock_out'];

let sent = 0;

/** Every member punches through its day again and again: the window of repeated punches is closed. */
async function punches(ours: Server, bare: Server, owner: TestActor, people: Person[]): Promise<string> {
  await call(ours, owner, 'PATCH', '/attendance/settings', { duplicate_window_seconds: 0 });
  const counts = new Map([ours, bare].map((server) => [server, 0]));
  const rates = new Map<Server, number[]>([ours, bare].map((server) => [server, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const server of [ours, bare]) {
      const result = await load(server, people, () => {
        const n = counts.get(server)!;
        counts.set(server, n + 1);
        return n;
      });
      if (round > 0) rates.get(server)!.push(result);
    }
  }
  const ratio = median(rates.get(ours)!.map((rate, n) => rate / rates.get(bare)![n]!));
  const [own, other] = [ours, bare].map((server) => Math.round(median(rates.get(server)!)));
  return `| POST /punches | ${own} | ${other} | ${ratio.toFixed(2)} | 0.40 |`;
}

async function load(server: Server, people: readonly Person[], next: () => number): Promise<number> {
  const result = await autocannon({
    url: server.base_url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        path: '/api/v1/attendance/punches',
        setupRequest: (request: autocannon.Request) => {
          const n = next();
          const { actor, member_id } = people[n % people.length]!;
          const type = TYPES[Math.floor(n / people.length) % TYPES.length]!;
          sent += 1;
          return {
            ...request,
            headers: { authorization: `Bearer ${actor.secret}`, 'content-type': 'application/json' },
            body: JSON.stringify({ type, member_id }),
          };
        },
      },
    ],
  } as autocannon.Options);
  // Those that a round cuts off are told by nobody, and their member may be one punch behind.
  assert.ok(result.non2xx <= sent / 50, `${result.non2xx} of ${sent} were refused`);
  return result.requests.average;
}

/** Each of a thousand members clocks in at its own moment of a minute. */
async function withinAMinute(ours: Server, test_database: TestDatabase): Promise<string> {
  const owner = await newActor(test_database.database);
  const people = await peopleOf(test_database, owner);
  const times: number[] = [];
  await Promise.all(
    people.map(async ({ actor }, place) => {
      await pause((place * MINUTE) / people.length);
      const began = performance.now();
      const reply = await call(ours, actor, 'POST', '/attendance/punches', { type: 'clock_in' });
      times.push(performance.now() - began);
      assert.equal(reply.status, 201);
    }),
  );
  const p95 = times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
  return `| ${MEMBERS} clock in within ${MINUTE / 1_000} s, p95 | ${p95.toFixed(0)} ms | 250 ms |`;
}
