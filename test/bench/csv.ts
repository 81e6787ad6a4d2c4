import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { writeImportFile } from '../support/import-files.ts';
import { type ImportedFile, importStored } from '../support/stored-imports.ts';
import { crmTable } from './imports/crm.ts';
import { daysTable } from './imports/days.ts';
import { documentsTable } from './imports/documents.ts';
import { knownTable } from './imports/known.ts';
import { importWorkers, median, peakOf, psql } from './imports/measuring.ts';
import { PLAIN, type Plain, SAME } from './imports/plain-contacts.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);

const FORM = { encoding: 'utf-8', delimiter: ',', is_japanese: false } as const;

/**
 * Rows a second of an import, from its request to its end, beside the plain tools on the same database in turns: psql
 * `\copy` into a staging table and one INSERT ... SELECT ON CONFLICT, into a plain table, and into one with the columns
 * and indexes of ours. Then lists that are known already, and imports of the CRM, of days and of invoices: BENCH_KNOWN_ROWS,
 * BENCH_CRM_ROWS, BENCH_MEMBERS and BENCH_DOCUMENTS say how many rows, members or documents, and 0 leaves them out as BENCH_SIZES=0 does the first.
 */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-csv-'));
  const lines = [
    '| rows | ours/s | plain/s | ours/plain | same table/s | ours/same table | peak MiB |',
    '|---|---|---|---|---|---|---|',
  ];
  try {
    for (const rows of SIZES.filter((size) => size > 0)) lines.push(await measured(folder, rows));
    const tables = [await knownTable(folder), await crmTable(), await daysTable(), await documentsTable()];
    return [...lines, ...tables.filter((table) => table !== '').flatMap((table) => ['', table])].join('\n');
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
      const by = (tools: Plain) =>
        psql(test_database, { ...tools, copy: `\\copy ${tools.staging} FROM '${path}' CSV HEADER` });
      const [plain, same] = [await by(PLAIN), await by(SAME)];
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
