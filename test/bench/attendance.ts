import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '../support/database.ts';
import { jobsTable } from './attendance/jobs.ts';
import { punchesTable } from './attendance/punches.ts';
import { readsTable } from './attendance/reads.ts';
import { seedYear } from './attendance/year.ts';
import { daysTable } from './imports/days.ts';
import { startServer } from './servers.ts';

const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 1_000);
const CASES = (process.env['BENCH_CASES'] ?? 'punches,reads,jobs,imports').split(',');

/**
 * What attendance costs. `punches`: beside a bare server, and a morning; `reads` and `jobs`: of an organization with a year of
 * days beside one with a month, in one database; `imports`: a month as a file. `BENCH_CASES` names some of them.
 */
export async function bench(): Promise<string> {
  const tables: string[] = [];
  if (CASES.includes('punches')) tables.push(await punchesTable());
  if (CASES.includes('reads') || CASES.includes('jobs')) tables.push(...(await yearAndMonth()));
  if (CASES.includes('imports')) tables.push(await daysTable());
  return tables.join('\n\n');
}

async function yearAndMonth(): Promise<string[]> {
  const test_database = await freshDatabase({ statement_timeout: 600_000 });
  const { database } = test_database;
  const folder = mkdtempSync(join(tmpdir(), 'bench-attendance-'));
  const environment = {
    DATABASE_URL: test_database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const to = new Date().toISOString().slice(0, 10);
  const year = await seedYear(database, { members: MEMBERS, from: monthsBefore(to, 11), to });
  const month = await seedYear(database, { members: MEMBERS, from: monthsBefore(to, 0), to });
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const api = await startServer('ours', 'api/main.ts', environment);
  try {
    const tables = [`${MEMBERS} members, load ${loadavg()[0]!.toFixed(0)}`];
    if (CASES.includes('reads')) tables.push(await readsTable(api, test_database, year, month));
    if (CASES.includes('jobs')) tables.push(await jobsTable(api, environment, year, month));
    return tables;
  } finally {
    await api.stop();
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first day of the month so many months before that of a date. */
function monthsBefore(date: string, months: number): string {
  return Temporal.PlainDate.from(date).with({ day: 1 }).subtract({ months }).toString();
}
