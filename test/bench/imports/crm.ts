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
import {
  casesOf,
  importWorkers,
  median,
  peakOf,
  psqlUsed,
  refuseOthers,
  settleTables,
  type Used,
  usedBy,
} from './measuring.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROWS = Number(process.env.BENCH_CRM_ROWS ?? 20_000);

/** Records with an ID of the system that the file comes from, and names that later lists change. */
const KINDS = [
  {
    kind: 'crm.companies',
    table: 'crm_companies',
    header: 'external_id,name,email,phone',
    line: (n: number, name: string) =>
      `K-${n},株式会社山田製作所${name}${n},info${n}@example.co.jp,03-1234-${String(n).padStart(4, '0')}`,
  },
  {
    kind: 'crm.contacts',
    table: 'crm_contacts',
    header: 'external_id,last_name,first_name,email,phone',
    line: (n: number, name: string) =>
      `P-${n},山田${n % 997}${name},花子${n % 991},hanako${n}@example.co.jp,090-1234-${String(n).padStart(4, '0')}`,
  },
  {
    kind: 'crm.deals',
    table: 'crm_deals',
    header: 'external_id,name,amount,currency',
    line: (n: number, name: string) => `D-${n},改装工事${name}${n},${n % 1000}000,JPY`,
  },
];

const CASES = casesOf(ROWS);

/**
 * Rows a second of imports of the CRM beside psql with the rows that came of it: `\copy` into a staging table and one
 * INSERT ... SELECT ON CONFLICT into a table with the columns and indexes of ours. The plain way is spared what an import
 * does besides: the letters for searches, events, audit entries, the journal for a revert, references. The last columns
 * are microseconds of processor time a row.
 */
export async function crmTable(): Promise<string> {
  if (ROWS === 0) return '';
  const lines = [
    '| kind | | rows | ours/s | rows alone/s | ours/rows alone | worker | database | rows alone: database | peak MiB |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ];
  for (const one of KINDS) {
    const rounds: Round[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured(one));
    for (const [index, { name }] of CASES.entries())
      lines.push(
        lineOf(
          `${one.kind} | ${name}`,
          rounds.map((each) => each[index]!),
        ),
      );
  }
  return lines.join('\n');
}

type Round = { ours: Used; plain: Used; peak: number };

function lineOf(name: string, rounds: readonly Round[]): string {
  const rate = (kind: 'ours' | 'plain') =>
    Math.round(median(rounds.map((each) => ROWS / each[kind].seconds)));
  const ratio = median(rounds.map((each) => each.plain.seconds / each.ours.seconds)).toFixed(2);
  const used = (kind: 'ours' | 'plain', part: 'worker' | 'database') =>
    Math.round(median(rounds.map((each) => (each[kind][part] * 1000) / ROWS)));
  const times = `${used('ours', 'worker')} | ${used('ours', 'database')} | ${used('plain', 'database')}`;
  const peak = Math.max(...rounds.map((each) => each.peak));
  return `| ${name} | ${ROWS} | ${rate('ours')} | ${rate('plain')} | ${ratio} | ${times} | ${peak} |`;
}

async function measured({ kind, table, header, line }: (typeof KINDS)[number]): Promise<Round[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-crm-'));
  const test_database = await freshDatabase();
  const workers = await importWorkers(test_database, folder);
  try {
    const { database } = test_database;
    const actor = await newActor(database);
    const { act } = importsOf({ database: test_database, storage: diskStorage(folder), actor });
    await act(async (work) => createDefaultPipeline(work));
    const domain = crmImports.find((each) => each.kind === kind)!;
    const rounds: Round[] = [];
    for (const one of CASES) {
      const name = one.generation === 0 ? '' : `第${one.generation}`;
      const rows = Array.from({ length: ROWS }, (_, n) => line(one.from + n, name));
      const text = [header, ...rows].join('\r\n');
      const ours = await usedBy(test_database, workers, async () => {
        const file = { body: Readable.from([Buffer.from(text)]), file_name: 'records.csv' };
        const { seconds, row } = await importStored({ database, folder, actor, file, domain });
        refuseOthers(one, row);
        return seconds;
      });
      const plain = await rowsAlone(test_database, {
        table,
        path: join(folder, 'rows.copy'),
        from: one.from,
      });
      rounds.push({ ours, plain, peak: peakOf(workers) });
      await settleTables(test_database);
    }
    return rounds;
  } finally {
    await workers.stop();
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Alone = { table: string; path: string; from: number };

/** The rows that came of the list, into a table that has those of the lists before. */
async function rowsAlone(test_database: TestDatabase, { table, path, from }: Alone): Promise<Used> {
  const [row] = await test_database.database.withConnection('*', ({ query }) =>
    query<{ columns: string; changes: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns,
              string_agg(format('%1$I = excluded.%1$I', attname), ', ' ORDER BY attnum)
                FILTER (WHERE attname NOT IN ('organization_id', 'id')) AS changes
         FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    ),
  );
  const { columns, changes } = row!;
  const listed = `substr(external_id, 3)::int >= ${from}`;
  return psqlUsed(test_database, {
    before: [
      `CREATE UNLOGGED TABLE staging AS SELECT ${columns} FROM ${table} WITH NO DATA`,
      `CREATE TABLE IF NOT EXISTS same (LIKE ${table} INCLUDING ALL)`,
      `\\copy (SELECT ${columns} FROM ${table} WHERE ${listed} ORDER BY id) TO '${path}'`,
    ],
    copy: `\\copy staging FROM '${path}'`,
    upsert: `INSERT INTO same (${columns}) SELECT ${columns} FROM staging
      ON CONFLICT (organization_id, id) DO UPDATE SET ${changes}`,
    after: 'DROP TABLE staging',
  });
}
