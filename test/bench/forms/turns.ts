import assert from 'node:assert/strict';
import autocannon from 'autocannon';
import { median } from '../imports/measuring.ts';
import { processTime } from '../process-time.ts';
import type { Server } from '../servers.ts';
import type { BenchForms } from './office.ts';

const AMOUNT = Number(process.env['BENCH_AMOUNT'] ?? 2_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CONNECTIONS = 32;

/** A call that is sent again and again; `body` is asked for a number that none before it had. */
export type Turn = {
  name: string;
  server: Server;
  path: string;
  headers: Record<string, string>;
  body?: (n: number) => string;
  /** The address that it comes from by that number; that of this machine where absent. */
  address?: (n: number) => string;
  /** Of the baseline's rate; null for what others are held against. */
  aim: string | null;
};

/** How often each is called before a measurement ends, the round that warms up among it. */
export const CALLS = AMOUNT * (ROUNDS + 1);

type Measured = { rate: number; p50: number; p95: number; api: number; database: number };

export const TURNS_TABLE = [
  '| | a second | p50 ms | p95 ms | API ms | database ms | rate/bare | aim |',
  '|---|---|---|---|---|---|---|---|',
];

/** Calls each so often in every round, in turns; the first is the baseline. API and database: processor time a call. */
export async function inTurns(office: BenchForms, turns: readonly Turn[]): Promise<string[]> {
  const measured = turns.map((): Measured[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [place, turn] of turns.entries()) {
      const one = await load(office, turn);
      if (round > 0) measured[place]!.push(one);
    }
  }
  return turns.map(({ name, aim }, place) => {
    const own = measured[place]!;
    const middle = (of: keyof Measured) => median(own.map((one) => one[of]));
    const ratio = median(own.map(({ rate }, round) => rate / measured[0]![round]!.rate));
    const cells = [
      name,
      Math.round(middle('rate')),
      middle('p50').toFixed(0),
      middle('p95').toFixed(0),
      middle('api').toFixed(2),
      middle('database').toFixed(2),
      aim === null ? '' : ratio.toFixed(2),
      aim ?? '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

let called = 0;

async function load(
  office: BenchForms,
  { name, server, path, headers, body, address }: Turn,
): Promise<Measured> {
  const before = await usedBy(office, server);
  const began = performance.now();
  const times: number[] = [];
  // What calls says that it is done at whole seconds only: the last response is the end.
  let ended = began;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(
      {
        url: server.base_url,
        connections: CONNECTIONS,
        amount: AMOUNT,
        requests: [
          {
            method: body ? 'POST' : 'GET',
            path,
            headers,
            setupRequest: (request) => {
              called += 1;
              const from = address && { headers: { ...headers, 'x-forwarded-for': address(called) } };
              return { ...request, ...from, ...(body && { body: body(called) }) };
            },
          },
        ],
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    running.on('response', (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds);
      ended = performance.now();
    });
  });
  const seconds = (ended - began) / 1000;
  const after = await usedBy(office, server);
  assert.equal(result.non2xx + result.errors, 0, `${name}: ${JSON.stringify(result.statusCodeStats)}`);
  times.sort((left, right) => left - right);
  return {
    rate: AMOUNT / seconds,
    p50: times[Math.floor(times.length * 0.5)]!,
    p95: times[Math.floor(times.length * 0.95)]!,
    api: (after.api - before.api) / AMOUNT,
    database: (after.database - before.database) / AMOUNT,
  };
}

async function usedBy({ database }: BenchForms, { pid: api }: Server) {
  const backends = await database.withConnection('*', ({ query }) =>
    query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = current_database()'),
  );
  const used = backends.reduce((sum, { pid }) => sum + processTime(pid), 0);
  return { api: processTime(api), database: used };
}
