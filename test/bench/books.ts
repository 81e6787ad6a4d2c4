import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';
import { seedCompanies } from '../support/many-records.ts';
import { type Server, startServer } from './servers.ts';

const run = promisify(execFile);

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SIZES = (process.env['BENCH_SIZES'] ?? '10000,1000000').split(',').map(Number);
const COMPANIES = 2_000;

/** The files of the journal book, from the request to their last byte, beside `\copy` of psql of the same join. */
export async function bench(): Promise<string> {
  const lines = ['| lines | file | ours/s | psql/s | ours/psql | peak MiB |', '|---|---|---|---|---|---|'];
  for (const size of SIZES) lines.push(...(await measured(size)));
  return lines.join('\n');
}

async function measured(size: number): Promise<string[]> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 3_600_000 });
  const folder = mkdtempSync(join(tmpdir(), 'bench-books-'));
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  };
  const server = await startServer('api', 'api/main.ts', environment);
  const workers = await startServer('ours', 'workers/main.ts', environment);
  try {
    const actor = await newActor(database);
    const call = callAs(server, actor.secret);
    await call('accounts/seed', {});
    await call('fiscal-years', { start_date: `${FIRST_YEAR}-01-01`, end_date: `${FIRST_YEAR}-12-31` });
    const companies = await seedCompanies(database, actor, COMPANIES);
    await seedEntries(database, actor, { lines: size, years: 1, companies });
    const text = `\\copy (${JOIN.replaceAll('$1', `'${actor.organization_id}'`)}) TO '${folder}/psql.csv' CSV HEADER`;
    const rows: string[] = [];
    for (const format of ['csv', 'hledger']) {
      const seconds: { ours: number; psql: number }[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const psql = await timed(() => run('psql', ['-q', url, '-c', text.replaceAll(/\s+/g, ' ')]));
        // Another name makes it another file.
        await call(`accounts`, { code: `${format}-${round}`, name: `${round}`, account_type: 'asset' });
        const ours = await timed(() => fileOf(server, actor.secret, format));
        if (round > 0) seconds.push({ ours, psql });
      }
      const rate = (kind: 'ours' | 'psql') => Math.round(median(seconds.map((each) => size / each[kind])));
      const ratio = median(seconds.map((each) => each.psql / each.ours)).toFixed(2);
      const shown = [size, format, rate('ours'), rate('psql'), ratio, peakOf(workers)];
      rows.push(`| ${shown.join(' | ')} |`);
    }
    return rows;
  } finally {
    await workers.stop();
    await server.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const JOIN = `
  SELECT journal.date, journal.number, journal.id, journal.kind, journal.description, line.line, account.code,
         account.name, line.debit, line.credit, line.tax_category, company.name, line.department_id, line.description,
         journal.reference
    FROM accounting_journals AS journal
    JOIN accounting_lines AS line ON line.organization_id = journal.organization_id AND line.journal_id = journal.id
    JOIN accounting_accounts AS account
      ON account.organization_id = line.organization_id AND account.id = line.account_id
    LEFT JOIN crm_companies AS company
      ON company.organization_id = line.organization_id AND company.id = line.company_id
   WHERE journal.organization_id = $1 AND journal.number IS NOT NULL
   ORDER BY journal.date, journal.number, line.line`;

const BASE = '/api/v1/accounting';

function callAs({ base_url }: Server, secret: string) {
  return async (path: string, body: object) => {
    const reply = await fetch(`${base_url}${BASE}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(reply.ok, await reply.text());
  };
}

/** Reads the whole file; asks again where it takes longer than a request waits. */
async function fileOf({ base_url }: Server, secret: string, format: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${base_url}${BASE}/reports/journal-book?format=${format}&encoding=utf-8`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    assert.ok(reply.ok, `${reply.status}`);
    await reply.arrayBuffer();
    if (reply.status === 200) return;
  }
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return (performance.now() - began) / 1000;
}

/** The most memory that the process has had, in MiB. */
function peakOf({ pid }: Server): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
