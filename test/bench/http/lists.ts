import assert from 'node:assert/strict';
import { daysLater } from '../../../shared/kernel/days.ts';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { bookedBefore, seedHosts, seedType } from '../../support/many-booked.ts';
import { seedContacts } from '../../support/many-contacts.ts';
import { seedDays } from '../../support/many-days.ts';
import { seedDocuments } from '../../support/many-documents.ts';
import { FIRST_YEAR, seedEntries } from '../../support/many-entries.ts';
import { seedTree } from '../../support/many-files.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { seedReceived } from '../../support/many-received.ts';
import { seedCompanies, seedDeals } from '../../support/many-records.ts';
import { seedSignings } from '../../support/many-signings.ts';
import { filled } from '../../support/plans.ts';
import { formOfTwenty } from '../forms/twenty-fields.ts';
import { median } from '../imports/measuring.ts';
import { type Server, startServer } from '../servers.ts';
import { type Load, load, ROUNDS } from './load.ts';
import { SECRETS, tidy } from './office.ts';
import { assertSameAnswers } from './same-answers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 5_000);
const NAMED = new RegExp(process.env['BENCH_NAMED'] ?? '');

/** Days for which each of the seeded members worked. */
const DAYS = 100;

const TABLE = [
  `| 50 of ${ROWS} | KB | ours/s | bare/s | ours/bare | processor µs, API + database: ours | bare | bare/ours | rate/contacts | both, contacts = 1 | ours p50 ms | p99 ms |`,
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
];

type Pair = { own: Load[]; bare: Load[] };

/** A list of each domain in one organization with as many rows of each kind, in turns with a bare server that sends the same bytes. */
export async function lists(): Promise<string> {
  const test_database = await freshDatabase({ statement_timeout: 1_800_000 });
  const { database, url, drop } = test_database;
  const actor = await newActor(database);
  const environment = { DATABASE_URL: url, ...SECRETS };
  const own = await startServer('ours', 'api/main.ts', environment);
  const bare = await startServer('bare', 'test/bench/baselines/lists.ts', environment);
  try {
    const paths = await filledLists(test_database, actor, own);
    await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
    await tidy(test_database);
    const named = Object.entries(paths).filter(([name]) => name === 'contacts' || NAMED.test(name));
    const kilobytes = new Map<string, number>();
    const loads = new Map(named.map(([name]): [string, Pair] => [name, { own: [], bare: [] }]));
    const callOf = (path: string) => ({ secret: actor.secret, path: `/api/v1${path}` });
    for (const [name, path] of named) {
      kilobytes.set(name, (await assertSameAnswers([own, bare], callOf(path))) / 1000);
    }
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, path] of named) {
        for (const [of, server] of Object.entries({ own, bare })) {
          const one = await load(server, test_database, [callOf(path)], round === 0 ? 1 : undefined);
          if (round > 0) loads.get(name)![of as keyof Pair].push(one);
        }
      }
    }
    const lines = named.map(
      ([name]) =>
        `| ${name} | ${kilobytes.get(name)!.toFixed(0)} | ${cellsOf(loads.get(name)!, loads.get('contacts')!.own)} |`,
    );
    return [...TABLE, ...lines].join('\n');
  } finally {
    await own.stop();
    await bare.stop();
    await drop();
  }
}

function cellsOf({ own, bare }: Pair, contacts: Load[]): string {
  const of = (loads: Load[], name: keyof Load) => Math.round(median(loads.map((one) => one[name])));
  const used = ({ api, database }: Load) => api + database;
  const ratio = (how: (one: Load, round: number) => number) => median(own.map(how)).toFixed(2);
  return [
    of(own, 'rate'),
    of(bare, 'rate'),
    ratio((one, round) => one.rate / bare[round]!.rate),
    ...[own, bare].map((loads) => `${of(loads, 'api')} + ${of(loads, 'database')}`),
    ratio((one, round) => used(bare[round]!) / used(one)),
    ratio((one, round) => one.rate / contacts[round]!.rate),
    ratio((one, round) => used(one) / used(contacts[round]!)),
    of(own, 'p50'),
    of(own, 'p99'),
  ].join(' | ');
}

/** Fills the organization, and answers the lists by the names of what they show. */
async function filledLists(
  test_database: TestDatabase,
  actor: TestActor,
  server: Server,
): Promise<Record<string, string>> {
  const { database, url } = test_database;
  await seedContacts(database, actor, ROWS);
  const companies = await seedCompanies(database, actor, ROWS);
  await seedDeals(database, actor, companies, ROWS);
  await seedDocuments(database, actor, 'invoice', { companies, count: ROWS });
  await seedReceived(database, actor, 'invoice', { companies, count: ROWS });
  await seedSignings(database, actor, { count: ROWS });
  await seedMailContacts(database, actor.organization_id, ROWS);
  await filled(url, () => seedTree(database, actor, { name: '書類', folders: 0, files: ROWS }));
  await seedDays(database, actor, daysOf(ROWS));
  const hosts = await seedHosts(database, actor, 1);
  await seedType(database, actor, hosts);
  await bookedBefore(database, actor, ROWS);
  await post(server, actor, '/accounting/accounts/seed');
  await post(server, actor, '/accounting/fiscal-years', {
    start_date: `${FIRST_YEAR}-01-01`,
    end_date: `${FIRST_YEAR}-12-31`,
  });
  await seedEntries(database, actor, { lines: ROWS * 4, years: 1, companies });
  const { form_id } = await formOfTwenty(test_database, actor, ROWS);
  return {
    contacts: '/crm/contacts',
    companies: '/crm/companies',
    deals: '/crm/deals',
    invoices: '/invoices',
    'received invoices': '/received-invoices',
    'documents for signing': '/sign/documents',
    'mail contacts': '/mail/contacts?limit=50',
    files: '/cloud/files?limit=50',
    'days of attendance': '/attendance/punches/history?limit=50',
    bookings: '/scheduler/bookings',
    journals: '/accounting/journals',
    'responses of 20 fields': `/forms/${form_id}/responses`,
  };
}

function daysOf(rows: number) {
  const to = new Date().toISOString().slice(0, 10);
  return { members: Math.ceil(rows / DAYS), from: daysLater(to, 1 - DAYS), to };
}

async function post({ base_url }: Server, { secret }: TestActor, path: string, body?: object): Promise<void> {
  const response = await fetch(`${base_url}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
}
