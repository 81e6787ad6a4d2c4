import { foldRowCounts } from '../../../shared/db/row-counts.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedContacts } from '../../support/many-contacts.ts';
import { seedReceived } from '../../support/many-received.ts';
import { seedCompanies } from '../../support/many-records.ts';
import { type Case, CONTACTS, get, measure, newContact, TABLE } from '../beside.ts';
import { startServer } from '../servers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const COMPANIES = 2_000;
const NAMED = new RegExp(process.env['BENCH_NAMED'] ?? '');

const INVOICES = '/api/v1/received-invoices';
const DOCUMENTS = '/api/v1/receive/documents';

/**
 * The calls about received documents beside those about as many contacts, on one API process and one database, in turns.
 * `BENCH_NAMED` names some of the cases by a regular expression.
 */
export async function calls(): Promise<string> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 1_800_000 });
  const actor = await newActor(database);
  await seedContacts(database, actor, ROWS);
  const companies = await seedCompanies(database, actor, COMPANIES);
  await seedReceived(database, actor, 'invoice', { companies, count: ROWS });
  for (const kind of ['quotation', 'purchase_order', 'delivery_note'] as const)
    await seedReceived(database, actor, kind, { companies, count: ROWS / 20 });
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  try {
    const lines = [...TABLE];
    for (const each of casesOf(companies)) {
      // Workers fold the ledger of totals every ten seconds; none run beside this bench.
      await foldRowCounts(database, new Date(), new AbortController().signal);
      if (NAMED.test(each.name)) lines.push(await measure(server.base_url, each, actor.secret));
    }
    return lines.join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}

function casesOf(companies: readonly string[]): Case[] {
  const list = (name: string, query: string): Case => ({
    name: `list ${name}`,
    call: get(`${INVOICES}?${query}`),
    beside: get(`${CONTACTS}?${query}`),
    connections: 4,
    aim: '1',
  });
  const alone = (name: string, path: string, aim: string): Case => ({
    name,
    call: get(path),
    beside: null,
    connections: 1,
    aim,
  });
  const create = (name: string, lines: number, aim: string): Case => ({
    name,
    // Each of a number of its own: one that is taken is refused.
    call: {
      method: 'POST',
      path: INVOICES,
      body: (n) => bodyOf(companies[n % companies.length]!, `${lines}-${n}`, lines),
    },
    beside: newContact,
    connections: 32,
    aim,
  });
  const partner = encodeURIComponent('仕入先17');
  const days = 'transaction_date_from=2026-01-01&transaction_date_to=2026-06-30';
  const amounts = 'total_min=50000&total_max=60000';
  return [
    create('create without a file', 1, '0.5'),
    create('create without a file, of ten lines', 10, ''),
    list('with total', 'limit=50'),
    list('without total', 'limit=50&skip_total=true'),
    list('by cursor', 'limit=50&cursor_mode=true'),
    list('by the last change', 'limit=50&cursor_mode=true&sort=updated_at:desc'),
    list('search, two letters', `search=${encodeURIComponent('勅使')}`),
    list('search, three letters', `search=${encodeURIComponent('勅使河')}`),
    alone('all kinds by date', `${DOCUMENTS}?${days}`, 'p95 100'),
    alone('all kinds by total', `${DOCUMENTS}?${amounts}`, 'p95 100'),
    alone('all kinds by partner', `${DOCUMENTS}?partner=${partner}`, 'p95 100'),
    alone('all kinds by all three', `${DOCUMENTS}?${days}&${amounts}&partner=${partner}`, 'p95 100'),
    alone('due', `${INVOICES}/due`, ''),
    alone('dashboard', `${INVOICES}/dashboard`, 'p95 200'),
    alone('dashboard of all times', `${INVOICES}/dashboard?from=2001-01-01&to=2101-01-01`, 'p95 200'),
  ];
}

/** An invoice of so many lines, in two categories where it has several. */
function bodyOf(company_id: string, number: string, lines: number): string {
  const line_items = Array.from({ length: lines }, (_, line) => ({
    description: `コーヒー豆 ${line + 1}`,
    quantity: `${line + 1}.5`,
    unit: 'kg',
    unit_price: `${1_200 + line * 35}`,
    tax_category: line % 3 === 0 ? 'standard' : 'reduced',
  }));
  return JSON.stringify({
    number: `bench-${number}`,
    company_id,
    registration_number: 'T7000012050002',
    issue_date: '2026-11-20',
    subject: 'コーヒー豆',
    line_items,
  });
}
