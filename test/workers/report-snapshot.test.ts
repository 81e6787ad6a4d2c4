import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createJob } from '../../shared/platform/jobs/operations.ts';
import type { Report } from '../../shared/platform/reports/report.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { makeReport } from '../../workers/reports/make-report.ts';
import { pdfWriter } from '../../workers/reports/writers.ts';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { askForDelivery, takeDelivery } from '../support/deliveries.ts';
import { importsOf } from '../support/imports.ts';
import { testRenderer } from '../support/rendering.ts';

const test_database = await freshDatabase();
const { database } = test_database;
const folder = mkdtempSync(join(tmpdir(), 'report-snapshot-'));
const renderer = testRenderer();
after(async () => {
  await test_database.drop();
  rmSync(folder, { recursive: true, force: true });
});
const storage = diskStorage(folder);
const { act, organization_id, query } = importsOf({
  database: test_database,
  storage,
  actor: await newActor(database),
});

const report: Report = {
  name: 'crm.numbers',
  scope: 'crm:read',
  title: { ja: '番号', en: 'Numbers' },
  columns: () => [{ name: 'number', kind: 'yen', title: { ja: '番号', en: 'Number' }, width: 40 }],
  head: async () => ({ organization: '株式会社珈琲商会', facts: [], time_zone: 'Asia/Tokyo' }),
  state: async () => ({ revision: '1', lines: 3 }),
  async *rows(_reader, _asked, _language, fetch) {
    for await (const { number } of fetch<{ number: number }>('SELECT generate_series(1, 3) AS number', [])) {
      yield { type: 'line', cells: [String(number)] };
    }
  },
};

/** How many connections of this database hold a cursor's transaction open. */
async function snapshots(): Promise<number> {
  const rows = await query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'business-operations-bulk' AND xact_start IS NOT NULL`,
  );
  return rows.length;
}

test('no snapshot is open while a report is rendered as PDF', async () => {
  const open: number[] = [];
  const watched = {
    ...renderer,
    render: (async (run, signal) => {
      open.push(await snapshots());
      return renderer.render(run, signal);
    }) as typeof renderer.render,
  };
  const handle = makeReport(
    { storage, database_url: test_database.url, reports: new Map([[report.name, report]]) },
    pdfWriter(watched),
  );
  const job_id = await act(
    async (work) => createJob(work, { kind: report.name, scope: report.scope, unit: null }).id,
  );
  const asked = { organization_id, queue: 'pdf-render', name: 'test.report' } as const;
  const delivery = await takeDelivery({ database }, await askForDelivery(database, asked));
  await handle(
    { job_id, report: report.name, asked: {}, language: 'en', encoding: 'utf-8', format: 'pdf' },
    delivery,
  );
  assert.deepEqual(new Set(open), new Set([0]));
  const files = await query<{ size: string }>('SELECT size FROM job_files WHERE job_id = $1', [job_id]);
  assert.equal(files.length, 1);
});
