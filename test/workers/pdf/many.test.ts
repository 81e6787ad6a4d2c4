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
/** Each has as many places in the queue as one worker takes at a time: the other's are for the other worker. */
const sellers = [await newSeller(app), await newSeller(app)];
const { dataDir } = app.context.settings;

/** Of a thousand and their memory: npm run soak -- test/soak/prints.ts. */
const COUNT = 60;

test('many documents at once are shared by two workers, each is rendered once, and nothing is left', async () => {
  const workers = await Promise.all([startRenderers(app), startRenderers(app)]);
  await Promise.all(sellers.map((seller) => issueMany(app, seller, COUNT / 2)));
  for (const seller of sellers) {
    await until('all are rendered', async () => (await countReady(app, seller)) === COUNT / 2 + 1, 300_000);
    await until('nothing is left to be done', async () => (await renderings(app, seller)) === 0);
  }
  const jobs = await app.database.withConnection('*', ({ query }) =>
    query<{ status: string }>('SELECT status FROM jobs'),
  );
  assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(['succeeded']));
  assert.equal(jobs.length, COUNT + 2);
  assert.equal(storedFiles(app).length, COUNT + 2);
  assert.deepEqual(await looseFiles(app), []);
  const browsers = runningBrowsers(dataDir);
  assert.equal(browsers.length, 2);
  assert.deepEqual(await Promise.all(workers.map((each) => each.stop())), [0, 0]);
  for (const pid of browsers) await until('no process is left', () => processesOf(pid).length === 0);
  assert.deepEqual(homesIn(dataDir), []);
});
