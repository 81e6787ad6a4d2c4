import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const { database, url, drop } = await freshDatabase();
after(drop);

test('a sweep whose process died is run by another one long before its claim would end', async () => {
  const now = Date.now();
  await database.withConnection('*', ({ query }) =>
    query(
      `INSERT INTO sweeps (name, started_at, running_until, every_milliseconds, taken_by)
       VALUES ('campaign_slices', $1, $2, 2000, 7)`,
      [new Date(now).toISOString(), new Date(now + 600_000).toISOString()],
    ),
  );
  const workers = await startWorkers({ DATABASE_URL: url }, ['--queues', 'campaign']);
  await until('it ran', async () => {
    const [sweep] = await database.withConnection('*', ({ query }) =>
      query<{ finished_at: string | null }>("SELECT finished_at FROM sweeps WHERE name = 'campaign_slices'"),
    );
    return sweep!.finished_at;
  });
  assert.equal(await workers.stop(), 0);
});
