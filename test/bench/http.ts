import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { type Server, startServer } from './servers.ts';

const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 100_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = 32;

type Case = { name: string; request: (n: number) => { method: 'GET' | 'POST'; path: string; body?: string } };

/** The API beside Koa + Objection and beside node:http + pg, on one database, in turns. */
export async function bench(): Promise<string> {
  const { database, url, drop } = await freshDatabase();
  const actor = await newActor(database);
  await seedContacts(database, actor, CONTACTS);
  await seedContacts(database, await newActor(database), 20_000);
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const [{ id }] = (await database.withConnection('*', ({ query }) =>
    query(`SELECT id FROM crm_contacts WHERE organization_id = $1 OFFSET ${CONTACTS / 2} LIMIT 1`, [
      actor.organization_id,
    ]),
  )) as [{ id: string }];
  const environment = { DATABASE_URL: url, AUTH_SECRET: 'a secret of the benchmark, long enough' };
  const servers = [
    await startServer('ours', 'api/main.ts', environment),
    await startServer('bare', 'test/bench/baselines/bare.ts', environment),
    await startServer('limit', 'test/bench/baselines/limit.ts', environment),
  ];
  const root = '/api/v1/crm/contacts';
  const only = process.env.BENCH_CASES?.split(',');
  const all: Case[] = [
    { name: 'list 50', request: () => ({ method: 'GET', path: root }) },
    { name: 'get', request: () => ({ method: 'GET', path: `${root}/${id}` }) },
    {
      name: 'create',
      request: (n) => ({
        method: 'POST',
        path: root,
        body: JSON.stringify({ first_name: '花子', last_name: '山田', email: `new${n}@example.com` }),
      }),
    },
    {
      name: 'search',
      request: () => ({ method: 'GET', path: `${root}?search=${encodeURIComponent('勅使')}` }),
    },
    {
      name: 'search 3',
      request: () => ({ method: 'GET', path: `${root}?search=${encodeURIComponent('勅使河')}` }),
    },
  ];
  const cases = all.filter(({ name }) => !only || only.includes(name));
  try {
    for (const each of cases) await assertSameBytes(servers, each, actor.secret);
    const lines = [
      `| | ours/s | bare/s | limit/s | ours/bare | ours/limit | ours p50 ms | ours p99 ms |`,
      '|---|---|---|---|---|---|---|---|',
    ];
    for (const each of cases) lines.push(await measure(servers, each, actor.secret));
    lines.push('', await measureTwo(servers[0]!, environment, cases, actor.secret));
    lines.push('', `Memory of the API process after load: ${residentMegabytes(servers[0]!.pid)} MiB`);
    return lines.join('\n');
  } finally {
    for (const server of servers) await server.stop();
    await drop();
  }
}

async function assertSameBytes(servers: Server[], { request }: Case, secret: string): Promise<void> {
  const { method, path } = request(0);
  if (method !== 'GET') return;
  const texts = await Promise.all(
    servers.map(async ({ base_url }) => {
      const response = await fetch(base_url + path, { headers: { Authorization: `Bearer ${secret}` } });
      assert.equal(response.status, 200);
      return response.text();
    }),
  );
  // Compared as booleans: the bodies are too long to print.
  assert.ok(texts[0] === texts[1], 'ours and bare send different bytes');
  assert.ok(texts[0] === texts[2], 'ours and limit send different bytes');
}

async function measure(servers: Server[], each: Case, secret: string): Promise<string> {
  const rates = new Map(servers.map(({ name }) => [name, [] as number[]]));
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const server of servers) {
      const result = await load(server, each, secret, round === 0 ? 1 : SECONDS);
      if (round === 0) continue;
      rates.get(server.name)!.push(result.requests.average);
      if (server.name !== 'ours') continue;
      p50.push(result.latency.p50);
      p99.push(result.latency.p99);
    }
  }
  const ratio = (other: string) =>
    median(rates.get('ours')!.map((rate, n) => rate / rates.get(other)![n]!)).toFixed(2);
  const rate = (name: string) => Math.round(median(rates.get(name)!));
  return `| ${each.name} | ${rate('ours')} | ${rate('bare')} | ${rate('limit')} | ${ratio('bare')} | ${ratio('limit')} | ${median(p50)} | ${median(p99)} |`;
}

/** Two API processes on the machine's two cores, which they share with the database and the client. */
async function measureTwo(
  first: Server,
  environment: Record<string, string>,
  cases: Case[],
  secret: string,
): Promise<string> {
  const second = await startServer('ours', 'api/main.ts', environment);
  const lines = ['| | one process/s | two processes/s | ratio |', '|---|---|---|---|'];
  try {
    for (const each of cases) {
      const rates: [number, number][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const one = await load(first, each, secret, SECONDS);
        const half = CONNECTIONS / 2;
        const both = await Promise.all(
          [first, second].map((server) => load(server, each, secret, SECONDS, half)),
        );
        rates.push([one.requests.average, both[0]!.requests.average + both[1]!.requests.average]);
      }
      const [one, two] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
      const ratio = median(rates.map(([alone, together]) => together / alone)).toFixed(2);
      lines.push(`| ${each.name} | ${Math.round(one)} | ${Math.round(two)} | ${ratio} |`);
    }
    return lines.join('\n');
  } finally {
    await second.stop();
  }
}

let made = 0;

async function load(
  server: Server,
  each: Case,
  secret: string,
  seconds: number,
  connections = CONNECTIONS,
): Promise<autocannon.Result> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const first = each.request(0);
  const result = await autocannon({
    url: server.base_url,
    connections,
    duration: seconds,
    requests: [
      {
        ...first,
        headers,
        setupRequest: (request) =>
          first.method === 'POST' ? { ...request, ...each.request(made++), headers } : request,
      },
    ],
  });
  assert.equal(
    result.non2xx + result.errors,
    0,
    `${server.name} failed ${result.non2xx + result.errors} of ${each.name}`,
  );
  return result;
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
