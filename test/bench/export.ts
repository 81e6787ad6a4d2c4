import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { mailContactExport } from '../../shared/mail/exports/contacts.ts';
import { requestExport } from '../../shared/platform/exports/operations.ts';
import type { ExportRequest } from '../../shared/platform/exports/record.ts';
import { jobById } from '../../shared/platform/jobs/queries.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { until } from '../support/until.ts';
import { type Server, startServer } from './servers.ts';

const run = promisify(execFile);

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);

const COLUMNS = ['email', 'last_name', 'first_name', 'attributes.会社名'];
const SELECTED = "email, last_name, first_name, attributes ->> '会社名'";

type Form = Partial<Pick<ExportRequest, 'columns' | 'encoding' | 'filters'>>;

/** What is exported in turns: psql selects the same of the same rows, where a selection is said. */
const variants: { name: string; form: Form; psql?: string }[] = [
  { name: 'four columns', form: { columns: COLUMNS }, psql: SELECTED },
  { name: 'four columns, Shift_JIS', form: { columns: COLUMNS, encoding: 'shift_jis' }, psql: SELECTED },
  { name: 'all columns', form: {} },
];

/** Rows a second from the request to the kept file, beside `\copy` of psql on the same database, in turns. */
export async function bench(): Promise<string> {
  const test_database = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'));
  try {
    const lines = ['| rows | what | ours/s | psql/s | ours/psql | peak MiB |', '|---|---|---|---|---|---|'];
    for (const rows of SIZES) {
      const organization_id = await seed(test_database, rows);
      for (const variant of variants) {
        lines.push(await measured({ test_database, folder, organization_id, rows, ...variant }));
      }
    }
    return lines.join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await test_database.drop();
  }
}

async function seed({ database, url }: TestDatabase, rows: number): Promise<string> {
  const organization_id = newId('org', new Date());
  await seedMailContacts(database, organization_id, rows, { indexed: false });
  const client = ['-q', url, '-c'];
  await run('psql', [
    ...client,
    `UPDATE mail_contacts SET attributes = jsonb_build_object('会社名', '株式会社' || right(id, 4))
      WHERE organization_id = '${organization_id}'`,
  ]);
  await run('psql', [...client, 'VACUUM (FULL, ANALYZE) mail_contacts']);
  return organization_id;
}

type Measuring = (typeof variants)[number] & {
  test_database: TestDatabase;
  folder: string;
  organization_id: string;
  rows: number;
};

async function measured(measuring: Measuring): Promise<string> {
  const { test_database, folder, organization_id, rows, name, form, psql } = measuring;
  const { database, url } = test_database;
  const workers = await startServer('ours', 'workers/main.ts', {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the measurement, long enough',
  });
  const text = `\\copy (SELECT ${psql} FROM mail_contacts WHERE organization_id = '${organization_id}') TO '${folder}/psql.csv' CSV HEADER`;
  const seconds: { ours: number; psql: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plain = psql ? await timed(() => run('psql', ['-q', url, '-c', text])) : Number.NaN;
    const ours = await timed(() => exportedRows(database, organization_id, form));
    if (round > 0) seconds.push({ ours, psql: plain });
  }
  const peak = peakOf(workers);
  await workers.stop();
  const rate = (kind: 'ours' | 'psql') => Math.round(median(seconds.map((each) => rows / each[kind])));
  const ratio = median(seconds.map((each) => each.psql / each.ours)).toFixed(2);
  return `| ${rows} | ${name} | ${rate('ours')} | ${psql ? rate('psql') : ''} | ${psql ? ratio : ''} | ${peak} |`;
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return (performance.now() - began) / 1000;
}

/** Asks for an export as a request does, and waits until its file is kept. */
async function exportedRows(database: Database, organization_id: string, form: Form): Promise<void> {
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  const asked: Omit<ExportRequest, 'exporter'> = {
    filters: {},
    sort: [],
    created_after: null,
    created_before: null,
    columns: null,
    encoding: 'utf-8-bom' as const,
    line_ending: 'crlf' as const,
    ...form,
  };
  const { id } = await database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const work = new Work({ ...who, connection, now: new Date() });
      const job = await requestExport(work, mailContactExport, asked);
      await commit(work.finish());
      return job;
    }),
  );
  const job = await until<JobResource | false>(
    'the export is done',
    () =>
      database.withConnection(organization_id, async (connection) => {
        const found = await jobById({ ...who, connection, now: new Date() }, id);
        return found.finished_at !== null && found;
      }),
    600_000,
  );
  if (job.status !== 'succeeded') throw new Error(`The export ended: ${JSON.stringify(job)}`);
}

/** The most memory that the process has had, in MiB. */
function peakOf({ pid }: Server): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
