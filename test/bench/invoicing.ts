import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { seedDocuments, seedPayments } from '../support/many-documents.ts';
import { seedCompanies } from '../support/many-records.ts';
import { type Case, CONTACTS, get, measure, newContact, TABLE } from './beside.ts';
import { startServer } from './servers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const COMPANIES = 2_000;

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
    const lines = [...TABLE];
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
    beside: get(`${CONTACTS}${query}`),
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
    search('search, two letters', CONTACTS, '勅使'),
    search('search, three letters', CONTACTS, '勅使河'),
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
