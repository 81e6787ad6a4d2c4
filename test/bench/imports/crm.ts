import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crmImports } from '../../../shared/crm/imports/domains.ts';
import { createDefaultPipeline } from '../../../shared/crm/pipelines/operations.ts';
import { diskStorage } from '../../../shared/platform/storage/disk.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { importsOf } from '../../support/imports.ts';
import { importStored } from '../../support/stored-imports.ts';
import { importWorkers, median, type PlainTools, peakOf, psql } from './measuring.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROWS = Number(process.env.BENCH_CRM_ROWS ?? 20_000);

/** New records, each with an ID of the system that the file comes from. */
const KINDS = [
  {
    kind: 'crm.companies',
    table: 'crm_companies',
    header: 'external_id,name,email,phone',
    line: (n: number) =>
      `K-${n},株式会社山田製作所${n},info${n}@example.co.jp,03-1234-${String(n).padStart(4, '0')}`,
  },
  {
    kind: 'crm.contacts',
    table: 'crm_contacts',
    header: 'external_id,last_name,first_name,email,phone',
    line: (n: number) =>
      `P-${n},山田${n % 997},花子${n % 991},hanako${n}@example.co.jp,090-1234-${String(n).padStart(4, '0')}`,
  },
  {
    kind: 'crm.deals',
    table: 'crm_deals',
    header: 'external_id,name,amount,currency',
    line: (n: number) => `D-${n},改装工事${n},${n % 1000}000,JPY`,
  },
];

/**
 * Rows a second of imports of the CRM beside psql with the rows that came of it: `\copy` into a staging table and one
 * INSERT ... SELECT ON CONFLICT into a table with the columns and indexes of ours. The plain way is spared what an import
 * does besides: the letters for searches, events, audit entries, the journal for a revert, references.
 */
export async function crmTable(): Promise<string> {
  const lines = [
    '| kind | rows | ours/s | rows alone/s | ours/rows alone | peak MiB |',
    '|---|---|---|---|---|---|',
  ];
  for (const one of KINDS) {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured(one));
    const ours = Math.round(median(rounds.map((each) => ROWS / each.ours)));
    const plain = Math.round(median(rounds.map((each) => ROWS / each.plain)));
    const ratio = median(rounds.map((each) => each.plain / each.ours)).toFixed(2);
    const peak = Math.max(...rounds.map((each) => each.peak));
    lines.push(`| ${one.kind} | ${ROWS} | ${ours} | ${plain} | ${ratio} | ${peak} |`);
  }
  return lines.join('\n');
}

type Round = { ours: number; plain: number; peak: number };

async function measured({ kind, table, header, line }: (typeof KINDS)[number]): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-crm-'));
  const test_database = await freshDatabase();
  try {
    const { database } = test_database;
    const actor = await newActor(database);
    const { act } = importsOf({ database: test_database, storage: diskStorage(folder), actor });
    await act(async (work) => createDefaultPipeline(work));
    const text = [header, ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\r\n');
    const file = { body: Readable.from([Buffer.from(text)]), file_name: 'records.csv' };
    const domain = crmImports.find((each) => each.kind === kind)!;
    const workers = await importWorkers(test_database, folder);
    const { seconds: ours, row } = await importStored({ database, folder, actor, file, domain });
    const peak = peakOf(workers);
    await workers.stop();
    if (row.created_count !== ROWS) throw new Error(`${row.created_count} of ${ROWS} ${kind} were made`);
    return {
      ours,
      peak,
      plain: await psql(test_database, await rowsAlone(test_database, table, join(folder, 'rows.copy'))),
    };
  } finally {
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsAlone({ database }: TestDatabase, table: string, path: string): Promise<PlainTools> {
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ columns: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    ),
  );
  const { columns } = row!;
  return {
    before: [
      `CREATE UNLOGGED TABLE staging AS SELECT ${columns} FROM ${table} WITH NO DATA`,
      `CREATE TABLE same (LIKE ${table} INCLUDING ALL)`,
      `\\copy (SELECT ${columns} FROM ${table} ORDER BY id) TO '${path}'`,
    ],
    copy: `\\copy staging FROM '${path}'`,
    upsert: `INSERT INTO same (${columns}) SELECT ${columns} FROM staging ON CONFLICT DO NOTHING`,
    after: 'DROP TABLE staging, same',
  };
}
