import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ensureInstallation } from '../../../shared/platform/installation/installation.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import { openBackend } from '../../../workers/kernel/backend.ts';
import { startApp } from '../../support/app.ts';
import { fetchAsOperator, operatorPage, WITH_OPERATORS } from '../../support/operators.ts';
import { has_redis, startRedis } from '../../support/redis.ts';

const redis = has_redis ? await startRedis() : null;

const engines = {
  postgres: await startApp({ environment: WITH_OPERATORS }),
  redis: redis && (await startApp({ environment: { ...WITH_OPERATORS, REDIS_URL: redis.url } })),
};
after(() => redis?.stop());

const ticket = {
  name: 'imports.run',
  organization_id: 'org_a',
  delivery_id: 'dlv_a',
  hand_over: 1,
  priority: 2,
};

for (const [engine, app] of Object.entries(engines)) {
  describe(`the board on ${engine}`, { skip: app ? false : 'redis-server is not on the PATH' }, () => {
    test('shows the tickets of a queue, each with the way to its delivery', async () => {
      const { base_url, context } = app!;
      const backend = openBackend({
        redis_url: context.settings.redisUrl,
        database_url: context.settings.databaseDirectUrl,
        installation: await ensureInstallation(app!.database, new Date()),
        served: 0,
        troubled: () => undefined,
      });
      await backend.put('csv-import', [ticket]);
      await backend.end();
      const { page, urls, complaints } = await operatorPage();
      await page.goto(`${base_url}/ops/board/queue/csv-import`, { waitUntil: 'networkidle2' });
      await page.waitForSelector('a[href="/ops/jobs/org_a/dlv_a"]');
      assert.deepEqual(
        urls.filter((url) => !url.startsWith(base_url) && !url.startsWith('data:')),
        [],
      );
      assert.deepEqual(complaints, []);
      await page.close();
    });

    test('offers nothing that changes a queue', async () => {
      const { queues } = (await (await fetchAsOperator(`${app!.base_url}/ops/board/api/queues`)).json()) as {
        queues: { readOnlyMode: boolean; allowRetries: boolean }[];
      };
      assert.equal(queues.length, queueNames.length);
      assert.ok(queues.every(({ readOnlyMode, allowRetries }) => readOnlyMode && !allowRetries));
    });
  });
}
