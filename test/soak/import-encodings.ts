import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nodeFlags } from '../../start/launch.ts';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { type FileForm, writeImportFile } from '../support/import-files.ts';
import { importStored } from '../support/stored-imports.ts';
import { startWorkers } from '../support/workers.ts';

/**
 * npm run soak -- test/soak/import-encodings.ts: a large file in each encoding that offices send, through a real
 * process of workers. SOAK_ROWS says how many rows.
 */
const ROWS = Number(process.env.SOAK_ROWS ?? 1_000_000);
const HOUR = 3_600_000;

const forms: FileForm[] = [
  { encoding: 'utf-8', delimiter: ',', is_japanese: true },
  { encoding: 'shift_jis', delimiter: ',', is_japanese: true },
  { encoding: 'utf-16le', delimiter: '\t', is_japanese: true },
];

const folder = mkdtempSync(join(tmpdir(), 'import-encodings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const form of forms) {
  test(`${ROWS} rows in ${form.encoding}`, { timeout: HOUR }, async (context) => {
    const test_database = await freshDatabase();
    const { database } = test_database;
    const path = join(folder, `${form.encoding}.csv`);
    await writeImportFile(path, ROWS, form);
    // As npm start runs the workers for bulk work.
    const NODE_OPTIONS = nodeFlags({ heap: 512, young: 4 }).join(' ');
    const environment = { DATABASE_URL: test_database.url, DATA_DIR: folder, NODE_OPTIONS };
    const workers = await startWorkers(environment, ['--queues', 'csv-import']);
    try {
      const actor = await newActor(database);
      const file = { body: createReadStream(path), file_name: 'list.csv' };
      const { row, seconds } = await importStored({ database, folder, actor, file });
      const { encoding, total_rows, created_count, error_count } = row;
      assert.deepEqual(
        { encoding, total_rows, created_count, error_count },
        { encoding: form.encoding, total_rows: ROWS, created_count: ROWS, error_count: 0 },
      );
      const [one] = await database.withConnection(actor.organization_id, ({ query }) =>
        query<{ whole: number }>(
          `SELECT count(*) FILTER (WHERE full_name ~ '^(山田|佐藤|鈴木|髙橋|田中|﨑山|伊藤|渡辺) ') AS whole
             FROM mail_contacts WHERE organization_id = $1`,
          [actor.organization_id],
        ),
      );
      assert.equal(one!.whole, ROWS);
      const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(
        readFileSync(`/proc/${workers.process.pid}/status`, 'utf8'),
      )!;
      context.diagnostic(
        `${Math.round(ROWS / seconds)} rows/s, worker ${Math.round(Number(peak) / 1024)} MiB at most`,
      );
    } finally {
      await workers.stop();
      await test_database.drop();
    }
  });
}
