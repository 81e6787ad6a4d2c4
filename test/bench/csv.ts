import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { writeImportFile } from '../support/import-files.ts';
import { type ImportedFile, importStored } from '../support/stored-imports.ts';
import { crmTable } from './imports/crm.ts';
import { daysTable } from './imports/days.ts';
import { importWorkers, median, type PlainTools, peakOf, psql } from './imports/measuring.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);

const FORM = { encoding: 'utf-8', delimiter: ',', is_japanese: false } as const;

/**
 * Rows a second of an import, from its request to its end, beside the plain tools on the same database in turns: psql
 * `\copy` into a staging table and one INSERT ... SELECT ON CONFLICT, into a plain table, and into one with the columns
 * and indexes of ours. Then the imports of the CRM and of days. BENCH_SIZES=0 measures these alone, BENCH_CRM_ROWS
 * and BENCH_MEMBERS say how many.
 */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-csv-'));
  const lines = [
    '| rows | ours/s | plain/s | ours/plain | same table/s | ours/same table | peak MiB |',
    '|---|---|---|---|---|---|---|',
  ];
  try {
    for (const rows of SIZES.filter((size) => size > 0)) lines.push(await measured(folder, rows));
    return [...lines, '', await crmTable(), '', await daysTable()].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Seconds = { ours: number; plain: number; same: number };

async function measured(folder: string, rows: number): Promise<string> {
  const path = join(folder, `${rows}.csv`);
  await writeImportFile(path, rows, FORM);
  const seconds: Seconds[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round has a database of its own, so that none pays for the rows of those before.
    const test_database = await freshDatabase();
    try {
      const plain = await psql(test_database, { ...PLAIN, copy: copyOf(path) });
      const same = await psql(test_database, { ...SAME, copy: copyOf(path) });
      const { ours, peak } = await imported(test_database, folder, path);
      seconds.push({ ours, plain, same });
      peaks.push(peak);
    } finally {
      await test_database.drop();
    }
  }
  const rate = (kind: keyof Seconds) => Math.round(median(seconds.map((each) => rows / each[kind])));
  const ratio = (kind: keyof Seconds) => median(seconds.map((each) => each[kind] / each.ours)).toFixed(2);
  return `| ${rows} | ${rate('ours')} | ${rate('plain')} | ${ratio('plain')} | ${rate('same')} | ${ratio('same')} | ${Math.max(...peaks)} |`;
}

async function imported(
  test_database: TestDatabase,
  folder: string,
  path: string,
): Promise<{ ours: number; peak: number }> {
  const workers = await importWorkers(test_database, folder);
  const actor = await newActor(test_database.database);
  const file: ImportedFile = { body: createReadStream(path), file_name: 'list.csv' };
  const done = await importStored({ database: test_database.database, folder, actor, file });
  const peak = peakOf(workers);
  await workers.stop();
  return { ours: done.seconds, peak };
}

const copyOf = (path: string) => `\\copy staging FROM '${path}' CSV HEADER`;

type Tables = Omit<PlainTools, 'copy'>;

const STAGING = `CREATE UNLOGGED TABLE staging (email text, first_name text, last_name text, company text)`;
const TAKEN = `SELECT DISTINCT ON (email) * FROM staging`;

const PLAIN: Tables = {
  before: [
    `${STAGING}; CREATE TABLE plain_contacts (organization_id text NOT NULL, email text NOT NULL,
    first_name text, last_name text, company text, UNIQUE (organization_id, email))`,
  ],
  upsert: `INSERT INTO plain_contacts SELECT 'org_01kaj2n5w5fq8b4m0g3v7x9rtc', email, first_name, last_name, company
    FROM (${TAKEN}) AS taken ON CONFLICT (organization_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, company = excluded.company`,
  after: 'DROP TABLE staging, plain_contacts',
};

const SAME: Tables = {
  before: [`${STAGING}; CREATE TABLE same_contacts (LIKE mail_contacts INCLUDING ALL)`],
  upsert: `INSERT INTO same_contacts (organization_id, id, email, email_key, first_name, last_name, full_name, status,
      attributes, search_text, created_at, updated_at)
    SELECT 'org_01kaj2n5w5fq8b4m0g3v7x9rtc', 'mcont_01m7z6j2cney6t71' || lpad(row_number() OVER ()::text, 10, '0'),
      email, lower(email), first_name, last_name, first_name || ' ' || last_name, 'active', '{}',
      lower(concat_ws(chr(10), last_name || ' ' || first_name, first_name || ' ' || last_name,
        last_name || first_name, email)), now(), now()
    FROM (${TAKEN}) AS taken ON CONFLICT (organization_id, email_key) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, full_name = excluded.full_name, search_text = excluded.search_text`,
  after: 'DROP TABLE staging, same_contacts',
};
