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

const ROWS = Number(process.env['BENCH_ROWS'] ?? 5_000);
const NAMED = new RegExp(process.env['BENCH_NAMED'] ?? '');

/** Days for which each of the seeded members worked. */
const DAYS = 100;

/** A list of each domain in one organization with as many rows of each kind, in turns with that of contacts. */
export async function lists(): Promise<string> {
  const test_database = await freshDatabase({ statement_timeout: 1_800_000 });
  const { database, url, drop } = test_database;
  const actor = await newActor(database);
  const server = await startServer('ours', 'api/main.ts', { DATABASE_URL: url, ...SECRETS });
  try {
    const paths = await filledLists(test_database, actor, server);
    await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
    await tidy(test_database);
    const named = Object.entries(paths).filter(([name]) => name === 'contacts' || NAMED.test(name));
    const loads = new Map(named.map(([name]) => [name, [] as Load[]]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, path] of named) {
        const calls = [{ secret: actor.secret, path: `/api/v1${path}` }];
        const one = await load(server, test_database, calls, round === 0 ? 1 : undefined);
        if (round > 0) loads.get(name)!.push(one);
      }
    }
    const lines = [
      `| 50 of ${ROWS} | KB | a second | rate/contacts | API µs | database µs | both, contacts = 1 | p50 ms | p99 ms |`,
      '|---|---|---|---|---|---|---|---|---|',
    ];
    for (const [name, path] of named) {
      const kilobytes = (await bytesOf(server, actor, path)) / 1000;
      lines.push(
        `| ${name} | ${kilobytes.toFixed(0)} | ${cellsOf(loads.get(name)!, loads.get('contacts')!)} |`,
      );
    }
    return lines.join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}

function cellsOf(own: Load[], contacts: Load[]): string {
  const of = (name: keyof Load) => median(own.map((one) => one[name]));
  const used = ({ api, database }: Load) => api + database;
  const rate = median(own.map((one, round) => one.rate / contacts[round]!.rate));
  const ratio = median(own.map((one, round) => used(one) / used(contacts[round]!)));
  return [
    Math.round(of('rate')),
    rate.toFixed(2),
    Math.round(of('api')),
    Math.round(of('database')),
    ratio.toFixed(2),
    Math.round(of('p50')),
    Math.round(of('p99')),
  ].join(' | ');
}

async function bytesOf({ base_url }: Server, { secret }: TestActor, path: string): Promise<number> {
  const response = await fetch(`${base_url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const bytes = await response.arrayBuffer();
  assert.equal(response.status, 200, path);
  return bytes.byteLength;
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
