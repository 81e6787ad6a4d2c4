import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { countReady, issueMany } from '../../support/many-prints.ts';
import { renderings, runningBrowsers, startRenderers } from '../../support/pdf-documents.ts';
import { homesIn, processesOf } from '../../support/rendering.ts';
import { looseFiles, storedFiles } from '../../support/stored.ts';
import { until } from '../../support/until.ts';

const app = await startApp();
const seller = await newSeller(app);
const { dataDir } = app.context.settings;

/** Of a thousand and their memory: npm run soak -- test/soak/prints.ts. */
const COUNT = 60;

test('many documents at once are shared by two workers, each is rendered once, and nothing is left', async () => {
  const workers = await Promise.all([startRenderers(app), startRenderers(app)]);
  await issueMany(app, seller, COUNT);
  await until('all are rendered', async () => (await countReady(app, seller)) === COUNT + 1, 120_000);
  await until('nothing is left to be done', async () => (await renderings(app, seller)) === 0);
  const jobs = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ status: string }>('SELECT status FROM jobs WHERE organization_id = $1', [seller.organization_id]),
  );
  assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(['succeeded']));
  assert.equal(jobs.length, COUNT + 1);
  assert.equal(storedFiles(app).length, COUNT + 1);
  assert.deepEqual(await looseFiles(app), []);
  const browsers = runningBrowsers(dataDir);
  assert.equal(browsers.length, 2);
  assert.deepEqual(await Promise.all(workers.map((each) => each.stop())), [0, 0]);
  for (const pid of browsers) await until('no process is left', () => processesOf(pid).length === 0);
  assert.deepEqual(homesIn(dataDir), []);
});
