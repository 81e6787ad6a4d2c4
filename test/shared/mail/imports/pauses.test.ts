import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  cancelImport,
  cancelsPausedImport,
  pauseImport,
  resumeImport,
} from '../../../../shared/platform/imports/operations.ts';
import { cancelJob } from '../../../../shared/platform/jobs/operations.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, mailImport, type TestImports } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'pauses-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const ROWS = Array.from({ length: 55 }, (_, at) => `p${at}@x.jp,Taro\n`).join('');
const FILE = `email,first_name\n${ROWS}`;

async function newImports(): Promise<TestImports> {
  const actor = await newActor(database.database);
  return importsOf({ database, actor, storage: diskStorage(folder) });
}

/** An import of 55 contacts that is paused after 30. */
async function pausedImport() {
  const imports = await newImports();
  const row = await imports.create(FILE);
  let chunks = 0;
  const pace = {
    size: () => 10,
    async rest() {
      chunks += 1;
      if (chunks === 3) await imports.act((work) => pauseImport(work, mailImport, row.id));
    },
  };
  await imports.run(row, { pace });
  return { imports, row };
}

async function jobOf(imports: TestImports, id: string | null): Promise<string> {
  const [row] = await imports.query<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [id]);
  return row!.status;
}

describe('a paused import', () => {
  test('has a paused job, and goes on with it, without a row lost or doubled', async () => {
    const { imports, row } = await pausedImport();
    const paused = await imports.read(row.id);
    assert.deepEqual([paused.status, paused.job_id, paused.processed_rows], ['paused', row.job_id, 30]);
    assert.equal(await jobOf(imports, row.job_id), 'paused');
    await imports.run(row);
    assert.equal((await imports.read(row.id)).processed_rows, 30, 'a delivery of before does nothing more');
    assert.equal(await jobOf(imports, row.job_id), 'paused');

    const { row: resumed, job } = await imports.act((work) => resumeImport(work, mailImport, row.id));
    assert.deepEqual([job.id, job.status], [row.job_id, 'running']);
    // The delivery of before may still be there beside the new one.
    await Promise.all([imports.run(resumed), imports.run(row)]);
    const done = await imports.read(row.id);
    assert.deepEqual([done.status, done.total_rows, done.created_count], ['completed', 55, 55]);
    const [count] = await imports.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM mail_contacts WHERE organization_id = $1',
      [imports.organization_id],
    );
    assert.equal(count!.n, 55);
    assert.equal(await jobOf(imports, row.job_id), 'succeeded');
  });

  test('that no worker has begun is begun when it is resumed', async () => {
    const imports = await newImports();
    const row = await imports.create(FILE);
    await imports.act((work) => pauseImport(work, mailImport, row.id));
    await imports.run(row);
    assert.equal(await jobOf(imports, row.job_id), 'paused');
    const { job } = await imports.act((work) => resumeImport(work, mailImport, row.id));
    assert.deepEqual([job.id, job.status], [row.job_id, 'queued']);
    await imports.run(row);
    assert.equal((await imports.read(row.id)).created_count, 55);
  });

  test('is cancelled with its job, whichever of the two is asked for', async () => {
    for (const isByJob of [true, false]) {
      const { imports, row } = await pausedImport();
      await imports.act(async (work) => {
        if (isByJob) await cancelJob(work, row.job_id!, [cancelsPausedImport([mailImport])]);
        else await cancelImport(work, mailImport, row.id);
      });
      assert.equal((await imports.read(row.id)).status, 'cancelled');
      assert.equal(await jobOf(imports, row.job_id), 'cancelled');
    }
  });

  test('of the release before, whose job has ended, goes on with a new one', async () => {
    const { imports, row } = await pausedImport();
    await imports.query('UPDATE imports SET job_id = NULL WHERE id = $1', [row.id]);
    const { row: resumed, job } = await imports.act((work) => resumeImport(work, mailImport, row.id));
    assert.notEqual(job.id, row.job_id);
    await imports.run(resumed);
    assert.equal((await imports.read(row.id)).created_count, 55);
  });
});
