import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { isAwaited, whileHeld } from '../support/held.ts';
import { newDraft, newSender } from '../support/sendable-campaigns.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'campaign-freeze-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const app = await startApp();

test('a worker that is killed while it settles recipients leaves none of them; another one settles all', async () => {
  const start = () =>
    startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: folder }, ['--queues', 'campaign']);
  const { client, list_id } = await newSender(app, ['a@example.jp', 'b@example.jp', 'c@example.jp']);
  const path = await newDraft(client, { list_ids: [list_id] });
  const first = await start();
  await whileHeld(app.database, 'mail_campaign_counts', async () => {
    const sent = await client.post(`${path}/send`);
    assert.equal(sent.status, 202, sent.text);
    await until('recipients are being settled', () => isAwaited(app.database, 'mail_campaign_counts'));
    await first.kill();
  });
  const campaign_id = path.split('/').at(-1);
  const rows = () =>
    app.database.withConnection('*', ({ query }) =>
      query<{ number: number }>(
        'SELECT number FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number',
        [campaign_id],
      ),
    );
  assert.deepEqual(await rows(), []);
  await start();
  await until('all are settled', async () => {
    const [campaign] = await app.database.withConnection('*', ({ query }) =>
      query('SELECT FROM mail_campaigns WHERE id = $1 AND frozen_at IS NOT NULL', [campaign_id]),
    );
    return campaign !== undefined;
  });
  assert.deepEqual(
    (await rows()).map(({ number }) => number),
    [1, 2, 3],
  );
  const [counts] = await app.database.withConnection('*', ({ query }) =>
    query<Record<string, number>>(
      `SELECT count(*)::integer AS slots, sum(queued + sending + sent + failed + skipped + unknown)::integer AS recipients
         FROM mail_campaign_counts WHERE campaign_id = $1`,
      [campaign_id],
    ),
  );
  assert.deepEqual({ ...counts }, { slots: 16, recipients: 3 });
});
