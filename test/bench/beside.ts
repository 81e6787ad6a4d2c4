import assert from 'node:assert/strict';
import autocannon from 'autocannon';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

export type Call = { method: 'GET' | 'POST'; path: string; body?: (n: number) => string };

/** A call of a domain and the call of the CRM that it is held against; `aim` is of their rates. */
export type Case = { name: string; call: Call; beside: Call | null; connections: number; aim: string };

export const CONTACTS = '/api/v1/crm/contacts';

/** The plain create that those of other domains are held against. */
export const newContact: Call = {
  method: 'POST',
  path: CONTACTS,
  body: (n) => JSON.stringify({ first_name: '花子', last_name: '山田', email: `new${n}@example.com` }),
};

export const get = (path: string): Call => ({ method: 'GET', path });

export const TABLE = [
  '| | a second | p50 ms | p95 ms | contacts a second | p50 ms | p95 ms | rate/contacts | p95/contacts | aim |',
  '|---|---|---|---|---|---|---|---|---|---|',
];

/** Measures a case in turns with what it is held against, and answers its row of the table. */
export async function measure(base_url: string, each: Case, secret: string): Promise<string> {
  const own: Measured[] = [];
  const beside: Measured[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 1 : SECONDS;
    const result = await load(base_url, each.call, secret, each.connections, seconds);
    const other = each.beside && (await load(base_url, each.beside, secret, each.connections, seconds));
    if (round === 0) continue;
    own.push(result);
    if (other) beside.push(other);
  }
  const shown = (list: readonly Measured[]) =>
    list.length === 0
      ? ['', '', '']
      : [Math.round(middle(list, 'rate')), Math.round(middle(list, 'p50')), Math.round(middle(list, 'p95'))];
  const ratio = (of: keyof Measured) =>
    beside.length === 0 ? '' : median(own.map((one, n) => one[of] / beside[n]![of])).toFixed(2);
  return `| ${[each.name, ...shown(own), ...shown(beside), ratio('rate'), ratio('p95'), each.aim].join(' | ')} |`;
}

type Measured = { rate: number; p50: number; p95: number };

let made = 0;

async function load(
  base_url: string,
  { method, path, body }: Call,
  secret: string,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const times: number[] = [];
  const options: autocannon.Options = {
    url: base_url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        path,
        headers,
        setupRequest: (request) => {
          made += 1;
          return body ? { ...request, body: body(made) } : request;
        },
      },
    ],
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    running.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  });
  assert.equal(result.non2xx + result.errors, 0, `${method} ${path} failed`);
  times.sort((left, right) => left - right);
  const quantile = (share: number) => times[Math.floor(times.length * share)]!;
  return { rate: result.requests.average, p50: quantile(0.5), p95: quantile(0.95) };
}

function middle(list: readonly Measured[], of: keyof Measured): number {
  return median(list.map((one) => one[of]));
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
