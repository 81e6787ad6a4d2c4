import assert from 'node:assert/strict';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';
import { seedCompanies } from '../support/many-records.ts';
import { startServer } from './servers.ts';

const LINES = Number(process.env['BENCH_ROWS'] ?? 5_000_000);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 200);
const COMPANIES = 2_000;
const YEARS = 5;

/** A read of the books, and the p95 in milliseconds that it is to stay under. */
type Case = { name: string; path: string; aim: number };

/** Reports on the books of five years, one at a time on an idle machine, as a person asks for them. */
export async function bench(): Promise<string> {
  // Five million lines are written by one statement.
  const { database, url, drop } = await freshDatabase({ statement_timeout: 3_600_000 });
  const actor = await newActor(database);
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  try {
    const call = callAs(server.base_url, actor);
    await call('POST', '/accounting/accounts/seed');
    for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year += 1) {
      await call('POST', '/accounting/fiscal-years', {
        start_date: `${year}-01-01`,
        end_date: `${year}-12-31`,
      });
    }
    const companies = await seedCompanies(database, actor, COMPANIES);
    await seedEntries(database, actor, { lines: LINES, years: YEARS, companies });
    await assertEqualToLines(database, actor, call);
    const lines = ['| | p50 ms | p95 ms | aim, p95 |', '|---|---|---|---|'];
    const cases = [...casesOf(companies[7]!), ...(await bookCases(database, actor, companies[7]!))];
    for (const each of cases) lines.push(await measure(call, each));
    return lines.join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}

function casesOf(company_id: string): Case[] {
  const of = (name: string, path: string, aim: number): Case => ({
    name,
    path: `/accounting/reports/${path}`,
    aim,
  });
  const last = FIRST_YEAR + YEARS - 1;
  return [
    of('trial balance of a year', `trial-balance?from=${last}-01-01&to=${last}-12-31`, 20),
    of('trial balance to any day', `trial-balance?from=${last}-01-01&to=${last}-08-17`, 20),
    of('trial balance of broken days', `trial-balance?from=${last}-02-11&to=${last}-08-17`, 20),
    of('balance sheet', `balance-sheet?as_of=${last}-08-17`, 25),
    of(
      'balance sheet by month',
      `balance-sheet?as_of=${last}-12-31&interval=month&compare=previous_year`,
      25,
    ),
    of('income statement', `income-statement?from=${last}-01-01&to=${last}-08-17`, 25),
    of(
      'income statement by month',
      `income-statement?from=${last}-01-01&to=${last}-12-31&interval=month`,
      25,
    ),
    of('cash flow', `cash-flow-statement?from=${last}-01-01&to=${last}-08-17`, 25),
    of(
      'trial balance of a company',
      `trial-balance?from=${last}-01-01&to=${last}-12-31&company_id=${company_id}`,
      150,
    ),
    of('trial balance by company', `trial-balance?from=${last}-01-01&to=${last}-12-31&group_by=company`, 150),
    of(
      'income statement by department',
      `income-statement?from=${last}-01-01&to=${last}-12-31&group_by=department`,
      150,
    ),
    of('consumption tax of a year', `consumption-tax?from=${last}-01-01&to=${last}-12-31`, 150),
    of('consumption tax of broken months', `consumption-tax?from=${last}-01-05&to=${last}-11-20`, 150),
  ];
}

/** Pages of both books over all years: the first, and the deepest, which begins a page before the end. */
async function bookCases(
  database: Awaited<ReturnType<typeof freshDatabase>>['database'],
  { organization_id }: TestActor,
  company_id: string,
): Promise<Case[]> {
  const found = <Row extends object>(text: string, ...values: string[]) =>
    database.withConnection(organization_id, async ({ query }) => {
      const [row] = await query<Row>(text, [organization_id, ...values]);
      return row!;
    });
  const { account_id } = await found<{ account_id: string }>(
    'SELECT account_id FROM accounting_months WHERE organization_id = $1 GROUP BY 1 ORDER BY sum(debit + credit) DESC LIMIT 1',
  );
  const line = await found<{ id: string }>(
    `SELECT id FROM accounting_lines WHERE organization_id = $1 AND account_id = $2
      ORDER BY date DESC, number DESC, line DESC OFFSET 100 LIMIT 1`,
    account_id,
  );
  const entry = await found<{ id: string }>(
    `SELECT id FROM accounting_journals WHERE organization_id = $1 ORDER BY date DESC, number DESC OFFSET 50 LIMIT 1`,
  );
  const range = `from=${FIRST_YEAR}-01-01&to=${FIRST_YEAR + YEARS - 1}-12-31`;
  const ledger = `/accounting/reports/general-ledger?account_id=${account_id}&${range}`;
  const book = `/accounting/reports/journal-book?${range}`;
  return [
    { name: 'first page of a ledger', path: ledger, aim: 10 },
    { name: 'deepest page of a ledger', path: `${ledger}&starting_after=${line.id}`, aim: 10 },
    { name: 'ledger of a company', path: `${ledger}&company_id=${company_id}`, aim: 150 },
    { name: 'first page of the journal book', path: book, aim: 25 },
    { name: 'deepest page of the journal book', path: `${book}&starting_after=${entry.id}`, aim: 25 },
    { name: 'journal book of an account', path: `${book}&account_id=${account_id}`, aim: 25 },
    { name: 'journal book of a company', path: `${book}&company_id=${company_id}`, aim: 150 },
  ];
}

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<string>;

function callAs(base_url: string, { secret }: TestActor): Call {
  return async (method, path, body) => {
    const reply = await fetch(`${base_url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    assert.ok(reply.ok, text);
    return text;
  };
}

async function measure(call: Call, { name, path, aim }: Case): Promise<string> {
  const times: number[] = [];
  for (let time = -20; time < TIMES; time += 1) {
    const began = performance.now();
    await call('GET', path);
    if (time >= 0) times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return `| ${[name, at(0.5), at(0.95), aim].join(' | ')} |`;
}

/** The trial balance is what a GROUP BY over the lines says. */
async function assertEqualToLines(
  database: Awaited<ReturnType<typeof freshDatabase>>['database'],
  { organization_id }: TestActor,
  call: Call,
): Promise<void> {
  const [from, to] = [`${FIRST_YEAR + 2}-02-11`, `${FIRST_YEAR + 2}-09-23`];
  const { report } = JSON.parse(await call('GET', `/accounting/reports/trial-balance?from=${from}&to=${to}`));
  const sums = await database.withConnection(organization_id, ({ query }) =>
    query(
      `SELECT account.code, sum(debit)::float8 AS debit, sum(credit)::float8 AS credit FROM accounting_lines AS line
         JOIN accounting_accounts AS account ON account.organization_id = $1 AND account.id = line.account_id
        WHERE line.organization_id = $1 AND line.number IS NOT NULL AND line.date BETWEEN $2 AND $3
        GROUP BY account.code ORDER BY account.code`,
      [organization_id, from, to],
    ),
  );
  const moved = report.rows.filter(
    ({ debit, credit }: { debit: number; credit: number }) => debit + credit > 0,
  );
  assert.deepEqual(
    moved.map(({ code, debit, credit }: Record<string, unknown>) => [code, debit, credit]),
    sums.map((row) => [row['code'], row['debit'], row['credit']]),
  );
}
