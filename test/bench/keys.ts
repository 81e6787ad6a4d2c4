import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import autocannon from 'autocannon';
import { crmImports } from '../../shared/crm/imports/domains.ts';
import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { giveKeys } from '../support/many-records.ts';
import { importStored } from '../support/stored-imports.ts';
import { importWorkers, median } from './imports/measuring.ts';
import { type Server, startServer } from './servers.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 20_000);
const SIZES = (process.env['BENCH_SIZES'] ?? '5000,100000').split(',').map(Number);
const CONNECTIONS = 32;

/** Keys that records merged in earlier years have left to others. */
const ALIASES = 5_000;

const ROOT = '/api/v1/crm/contacts';

type Request = { method: 'GET' | 'POST' | 'PATCH' | 'PUT'; path: string; body?: string };
type Case = { name: string; plain: (n: number) => Request; keyed: (n: number) => Request };

/**
 * What own IDs, metadata and the keys of merged records cost: the same call without and with them, in turns on one API
 * process; and imports of the same rows without and with the two columns. BENCH_SIZES=0 measures these alone.
 */
export async function bench(): Promise<string> {
  const lines = ['| contacts | | without/s | with/s | with/without |', '|---|---|---|---|---|'];
  for (const size of SIZES.filter((each) => each > 0)) lines.push(...(await requestsAt(size)));
  lines.push('', '| import of new records | | rows/s | with/without |', '|---|---|---|---|');
  lines.push(...(await importLines()));
  return lines.join('\n');
}

async function requestsAt(size: number): Promise<string[]> {
  const test_database = await freshDatabase();
  const { database, url, drop } = test_database;
  const [plain, keyed] = [await newActor(database), await newActor(database)];
  for (const actor of [plain, keyed]) await seedContacts(database, actor, size);
  await giveKeys(database, 'crm_contacts', keyed.organization_id, {
    external_id: "'K-' || n",
    metadata: "jsonb_build_object('erp_id', 'E-' || n, 'region', '東京', 'rank', 'A')",
  });
  await leaveKeys(test_database, keyed);
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  try {
    const plain_id = await someContact(test_database, plain);
    const keyed_id = await someContact(test_database, keyed);
    const metadata = (n: number) => ({ erp_id: `E-${n}`, region: '東京', rank: 'A' });
    const person = { first_name: '花子', last_name: '山田' };
    const hundred = Array.from({ length: 100 }, (_, n) => `K-${1 + n * Math.floor(size / 100)}`).join(',');
    const text = (value: object) => JSON.stringify(value);
    const cases: Case[] = [
      {
        name: 'create',
        plain: () => ({ method: 'POST', path: ROOT, body: text(person) }),
        keyed: (n) => ({
          method: 'POST',
          path: ROOT,
          body: text({ ...person, external_id: `N-${n}`, metadata: metadata(n) }),
        }),
      },
      {
        name: 'list 50',
        plain: () => ({ method: 'GET', path: ROOT }),
        keyed: () => ({ method: 'GET', path: ROOT }),
      },
      {
        name: 'list 100, and look-up of 100 by their IDs',
        plain: () => ({ method: 'GET', path: `${ROOT}?limit=100&skip_total=true` }),
        keyed: () => ({ method: 'GET', path: `${ROOT}?limit=100&skip_total=true&external_id=${hundred}` }),
      },
      {
        name: 'change by ID, and by the own ID',
        plain: (n) => ({ method: 'PATCH', path: `${ROOT}/${plain_id}`, body: text({ note: `${n}` }) }),
        keyed: (n) => ({ method: 'PUT', path: `${ROOT}/by-external-id/K-1`, body: text({ note: `${n}` }) }),
      },
      {
        name: 'get',
        plain: () => ({ method: 'GET', path: `${ROOT}/${plain_id}` }),
        keyed: () => ({ method: 'GET', path: `${ROOT}/${keyed_id}` }),
      },
    ];
    const lines: string[] = [];
    for (const each of cases) lines.push(await measure(server, size, each, plain, keyed));
    return lines;
  } finally {
    await server.stop();
    await drop();
  }
}

async function measure(
  server: Server,
  size: number,
  { name, plain, keyed }: Case,
  plain_actor: TestActor,
  keyed_actor: TestActor,
): Promise<string> {
  const rates: [number, number][] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 1 : SECONDS;
    const without = await load(server, plain, plain_actor, seconds);
    const withKeys = await load(server, keyed, keyed_actor, seconds);
    if (round > 0) rates.push([without, withKeys]);
  }
  const without = Math.round(median(rates.map(([rate]) => rate)));
  const withKeys = Math.round(median(rates.map(([, rate]) => rate)));
  const ratio = median(rates.map(([one, other]) => other / one)).toFixed(2);
  return `| ${size} | ${name} | ${without} | ${withKeys} | ${ratio} |`;
}

let sent = 0;

async function load(
  { base_url }: Server,
  request: (n: number) => Request,
  { secret }: TestActor,
  duration: number,
): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const setupRequest = (one: autocannon.Request) => {
    sent += 1;
    return { ...one, ...request(sent), headers };
  };
  const result = await autocannon({
    url: base_url,
    connections: CONNECTIONS,
    duration,
    requests: [{ ...request(0), headers, setupRequest }],
  });
  assert.equal(result.non2xx + result.errors, 0, `${request(0).path} failed`);
  return result.requests.average;
}

async function leaveKeys(
  { database }: TestDatabase,
  { organization_id }: Pick<TestActor, 'organization_id'>,
): Promise<void> {
  await database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO key_aliases (organization_id, prefix, key, value, record_id)
       SELECT $1, 'cont', 'external_id', 'M-' || n, 'cont_survivor' FROM generate_series(1, $2::integer) AS n`,
      [organization_id, ALIASES],
    ),
  );
}

async function someContact({ database }: TestDatabase, { organization_id }: TestActor): Promise<string> {
  const [row] = await database.withConnection(organization_id, ({ query }) =>
    query<{ id: string }>('SELECT id FROM crm_contacts WHERE organization_id = $1 ORDER BY id LIMIT 1', [
      organization_id,
    ]),
  );
  return row!.id;
}

const COLUMNS = 'last_name,first_name,email';
const cells = (n: number) => `山田${n % 997},花子${n % 991},hanako${n}@example.co.jp`;

const kinds: readonly ImportDomain[] = [
  crmImports.find(({ kind }) => kind === 'crm.contacts')!,
  mailContactImport as unknown as ImportDomain,
];

async function importLines(): Promise<string[]> {
  const files = {
    without: [COLUMNS, cells],
    'with external_id': [`external_id,${COLUMNS}`, (n: number) => `N-${n},${cells(n)}`],
    'with external_id and metadata': [
      `external_id,metadata,${COLUMNS}`,
      (n: number) => `N-${n},"{""erp_id"":""E-${n}"",""rank"":""A""}",${cells(n)}`,
    ],
  } as const;
  const lines: string[] = [];
  for (const domain of kinds) {
    const rates = new Map<string, number[]>(Object.keys(files).map((name) => [name, []]));
    for (let round = 0; round < 3; round += 1) {
      for (const [name, [header, line]] of Object.entries(files)) {
        rates.get(name)!.push(ROWS / (await importSeconds(domain, header, line)));
      }
    }
    const plain = rates.get('without')!;
    for (const [name, each] of rates) {
      const ratio = median(each.map((rate, round) => rate / plain[round]!)).toFixed(2);
      lines.push(`| ${domain.kind} | ${name} | ${Math.round(median(each))} | ${ratio} |`);
    }
  }
  return lines;
}

async function importSeconds(
  domain: ImportDomain,
  header: string,
  line: (n: number) => string,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'));
  const test_database = await freshDatabase();
  try {
    const { database } = test_database;
    const actor = await newActor(database);
    await leaveKeys(test_database, actor);
    const text = [header, ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\r\n');
    const file = { body: Readable.from([Buffer.from(text)]), file_name: 'contacts.csv' };
    const workers = await importWorkers(test_database, folder);
    const { seconds, row } = await importStored({ database, folder, actor, file, domain });
    await workers.stop();
    assert.equal(row.created_count, ROWS);
    return seconds;
  } finally {
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
