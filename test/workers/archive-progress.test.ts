import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { archiveFolder } from '../../workers/cloud/archive-folder.ts';
import { startApp } from '../support/app.ts';
import { newOffice } from '../support/cloud.ts';
import { takeJob } from '../support/deliveries.ts';

const app = await startApp();

/**
 * The archive of a folder of three files, made here on a clock of which each look is a second later; `step` is called before
 * each of its transactions.
 */
async function archived(
  step: (job: { id: string }, office: Awaited<ReturnType<typeof newOffice>>) => Promise<void>,
) {
  const office = await newOffice(app);
  const folder = await office.folder('f');
  for (const name of ['a', 'b', 'c']) await office.file(name, name, folder.id);
  const { job } = (await office.post(`/cloud/folders/${folder.id}/archive`)).body;
  let now = Date.now();
  const clock = () => {
    now += 1_000;
    return new Date(now);
  };
  const options = { database: app.database, clock, step: () => step(job, office) };
  const { payload, delivery } = await takeJob<never>(options, job.id);
  await archiveFolder(app.context)(payload, delivery);
  return { office, job: (await office.get(`/jobs/${job.id}`)).body.job };
}

describe('an archive that takes long', () => {
  test('tells how many files are in it by now', async () => {
    const told: number[] = [];
    const { job } = await archived(async ({ id }, office) => {
      const { progress } = (await office.get(`/jobs/${id}`)).body.job;
      if (progress.total !== null) told.push(progress.done);
    });
    assert.deepEqual([...new Set(told)], [0, 1, 2]);
    assert.deepEqual([job.status, job.progress], ['succeeded', { done: 3, total: 3, unit: 'files' }]);
  });

  test('that was cancelled goes on no longer, and leaves no bytes', async () => {
    const { office, job } = await archived(async ({ id }, owner) => {
      const { progress } = (await owner.get(`/jobs/${id}`)).body.job;
      if (progress.done === 1) assert.equal((await owner.post(`/jobs/${id}/cancel`)).status, 200);
    });
    assert.deepEqual([job.status, job.progress.done], ['cancelled', 1]);
    const loose = await app.database.withConnection(office.organization_id, ({ query }) =>
      query(`SELECT FROM loose_files WHERE organization_id = $1 AND storage_key LIKE '%/archives/%'`, [
        office.organization_id,
      ]),
    );
    assert.equal(loose.length, 0);
  });
});

describe('an archive of deep folders', () => {
  test('has room for paths as long as they may be', async () => {
    const office = await newOffice(app);
    const top = await office.folder('top');
    let parent = top;
    for (let level = 0; level < 25; level += 1) parent = await office.folder('書'.repeat(85), parent.id);
    await office.file('a', 'a', parent.id);
    const { job } = (await office.post(`/cloud/folders/${top.id}/archive`)).body;
    const { payload, delivery } = await takeJob<never>(
      { database: app.database, clock: () => new Date() },
      job.id,
    );
    await archiveFolder(app.context)(payload, delivery);
    const done = (await office.get(`/jobs/${job.id}`)).body.job;
    assert.deepEqual([done.status, done.progress.done], ['succeeded', 1]);
  });
});
