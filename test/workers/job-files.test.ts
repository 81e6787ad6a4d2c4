import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DomainName } from '../../shared/kernel/scope.ts';
import { cancelJob, createJob } from '../../shared/platform/jobs/operations.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { exportList } from '../../workers/exports/export-list.ts';
import { exporters } from '../../workers/exports/exporters.ts';
import { writeErrorReport } from '../../workers/imports/write-error-report.ts';
import type { Delivery } from '../../workers/kernel/handler.ts';
import { newActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { askForDelivery, takeDelivery } from '../support/deliveries.ts';
import { importsOf } from '../support/imports.ts';

const test_database = await freshDatabase();
const { database } = test_database;
const folder = mkdtempSync(join(tmpdir(), 'job-files-'));
after(async () => {
  await test_database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const storage = diskStorage(folder);
const imports = importsOf({ database: test_database, storage, actor: await newActor(database) });
const { organization_id } = imports;

/** A quarter past midnight in Japan, on the day before in UTC. */
const NIGHT = new Date('2026-11-21T15:15:00.000Z');

/** A delivery as a worker's process makes it; `afterPart` is done once a part is committed. */
async function newDelivery(afterPart: () => Promise<unknown> = async () => {}): Promise<Delivery> {
  const asked = { organization_id, queue: 'report-export', name: 'test.file' } as const;
  const delivery_id = await askForDelivery(database, asked);
  const taken = await takeDelivery({ database, clock: () => NIGHT }, delivery_id);
  return {
    ...taken,
    part: async (run) => {
      await taken.part(run);
      await afterPart();
    },
  };
}

function newJob(kind: DomainName): Promise<string> {
  return imports.act(async (work) => createJob(work, { kind, scope: 'mail:read', unit: 'rows' }).id);
}

async function filesOf(job_id: string): Promise<string[]> {
  const rows = await imports.query<{ file_name: string }>(
    'SELECT file_name FROM job_files WHERE job_id = $1',
    [job_id],
  );
  return rows.map(({ file_name }) => file_name);
}

const faulty = await imports.create('email\nnobody\n');
await imports.run(faulty);
const report = (job_id: string) => ({ import_id: faulty.id, job_id, lang: 'ja' as const });

test('the report of faulty rows is named after its minute in Japan and its job', async () => {
  const job_id = await newJob('mail.imports.errors');
  await writeErrorReport({ storage })(report(job_id), await newDelivery());
  assert.deepEqual(await filesOf(job_id), [`取込エラー_2026-11-22_0015_${job_id.slice(-6)}.csv`]);
});

test('a report that was cancelled while it was written leaves no file', async () => {
  const job_id = await newJob('mail.imports.errors');
  const cancel = () => imports.act((work) => cancelJob(work, job_id));
  await writeErrorReport({ storage })(report(job_id), await newDelivery(cancel));
  assert.deepEqual(await filesOf(job_id), []);
  const left = await imports.query("SELECT FROM loose_files WHERE storage_key LIKE '%/reports/%'");
  assert.equal(left.length, 0);
});

test('an export that is tried again when nobody knows any more what was asked for is given up', async () => {
  const job_id = await newJob('mail.contacts.export');
  const handle = exportList({ storage, database_url: test_database.url, exporters });
  await assert.rejects(handle({ job_id }, await newDelivery()), /asked for too long ago/);
});
