import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyTrash } from '../../workers/cloud/empty-trash.ts';
import { startApp } from '../support/app.ts';
import { newOffice, type Office } from '../support/cloud.ts';
import { takeJob } from '../support/deliveries.ts';

const app = await startApp();

/** More than one part gives up. */
const COUNT = 450;

/** Puts folders into the trash past the operations, and asks for all of it to be given up. */
async function asked(office: Office) {
  await app.database.withConnection(office.organization_id, ({ query }) =>
    query(
      `INSERT INTO cloud_items (organization_id, id, kind, name, name_key, search_text, search_grams, trashed_at, created_at, updated_at)
       SELECT $1, 'fold_0' || lpad(n::text, 25, '0'), 'folder', 'f' || n, 'f' || n, 'f', '{}', now(), now(), now()
         FROM generate_series(1, $2::int) AS n`,
      [office.organization_id, COUNT],
    ),
  );
  const { job } = (await office.delete('/cloud/trash')).body;
  return { job, ...(await takeJob<never>(app, job.id)) };
}

test('what was given up is counted once, though the worker was killed between two parts or a part ran twice', async () => {
  const office = await newOffice(app);
  const { job, payload, delivery } = await asked(office);
  let parts = 0;
  const killed = {
    ...delivery,
    async part(run: Parameters<typeof delivery.part>[0]) {
      parts += 1;
      if (parts > 1) throw new Error('killed');
      await delivery.part(run);
    },
  };
  await assert.rejects(emptyTrash()(payload, killed), /killed/);
  const lost = {
    ...delivery,
    async part(run: Parameters<typeof delivery.part>[0]) {
      // A transaction that lost against another one is undone and runs again.
      await assert.rejects(
        delivery.part(async (work) => {
          await run(work);
          throw new Error('lost');
        }),
        /lost/,
      );
      await delivery.part(run);
    },
  };
  await emptyTrash()(payload, lost);
  const { status, result, progress } = (await office.get(`/jobs/${job.id}`)).body.job;
  assert.deepEqual([status, result, progress.done], ['succeeded', { purged: COUNT }, COUNT]);
  assert.equal((await office.get('/cloud/trash')).body.total, 0);
});
