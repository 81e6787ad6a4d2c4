import assert from 'node:assert/strict';
import autocannon from 'autocannon';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { seedDocuments, seedPayments } from '../support/many-documents.ts';
import { seedCompanies } from '../support/many-records.ts';
import { startServer } from './servers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const COMPANIES = 2_000;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

type Call = { method: 'GET' | 'POST'; path: string; body?: (n: number) => string };

/** A call of invoicing and the call of the CRM that it is held against; `aim` is of their rates. */
type Case = { name: string; call: Call; beside: Call | null; connections: number; aim: string };

/** The paths of invoicing beside those of contacts, on one API process and one database, in turns. */
export async function bench(): Promise<string> {
  const { database, url, drop } = await freshDatabase();
  const actor = await newActor(database);
  await seedContacts(database, actor, ROWS);
  const companies = await seedCompanies(database, actor, COMPANIES);
  const { ids } = await seedDocuments(database, actor, 'invoice', { companies, count: ROWS });
  await seedPayments(database, actor, ids);
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  const only = process.env['BENCH_CASES']?.split(',');
  try {
    const lines = [
      '| | a second | p50 ms | p95 ms | contacts a second | p50 ms | p95 ms | rate/contacts | p95/contacts | aim |',
      '|---|---|---|---|---|---|---|---|---|---|',
    ];
    for (const each of casesOf(companies)) {
      if (only && !only.includes(each.name)) continue;
      lines.push(await measure(server.base_url, each, actor.secret));
    }
    return lines.join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}

function casesOf(companies: readonly string[]): Case[] {
  const contacts = '/api/v1/crm/contacts';
  const newContact = {
    method: 'POST',
    path: contacts,
    body: (n: number) =>
      JSON.stringify({ first_name: '花子', last_name: '山田', email: `new${n}@example.com` }),
  } as const;
  const get = (path: string): Call => ({ method: 'GET', path });
  const search = (name: string, path: string, word: string): Case => ({
    name,
    call: get(`/api/v1/invoices?search=${encodeURIComponent(word)}`),
    beside: get(`${path}?search=${encodeURIComponent(word)}`),
    connections: 4,
    aim: '1',
  });
  const list = (name: string, query: string): Case => ({
    name,
    call: get(`/api/v1/invoices${query}`),
    beside: get(`${contacts}${query}`),
    connections: 4,
    aim: '1',
  });
  // Made before, as the client shares the machine with what is measured.
  const documents = companies.map((company_id) => JSON.stringify(documentOf(company_id)));
  const create = (name: string, path: string): Case => ({
    name,
    call: { method: 'POST', path, body: (n) => documents[n % documents.length]! },
    beside: newContact,
    connections: 32,
    aim: '0.5',
  });
  return [
    create('create quotation', '/api/v1/quotations'),
    create('create invoice', '/api/v1/invoices'),
    list('list with total', ''),
    list('list', '?skip_total=true'),
    search('search, two letters', contacts, '勅使'),
    search('search, three letters', contacts, '勅使河'),
    {
      name: 'dashboard',
      call: get('/api/v1/invoices/dashboard'),
      beside: null,
      connections: 1,
      aim: '',
    },
    {
      name: 'dashboard of all times',
      call: get('/api/v1/invoices/dashboard?from=2001-01-01&to=2101-01-01'),
      beside: null,
      connections: 1,
      aim: '',
    },
  ];
}

/** A document of ten lines in three categories. */
function documentOf(company_id: string): object {
  const line_items = Array.from({ length: 10 }, (_, n) => ({
    description: `コーヒー豆 ${n + 1}`,
    quantity: `${n + 1}.5`,
    unit: 'kg',
    unit_price: `${1_200 + n * 35}`,
    tax_category: n % 3 === 0 ? 'standard' : 'reduced',
  }));
  return { company_id, issue_date: '2026-11-20', subject: 'コーヒー豆', line_items };
}

async function measure(base_url: string, each: Case, secret: string): Promise<string> {
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
