import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domains } from '../../../../shared/domains.ts';
import { orphanKindsOf } from '../../../../shared/platform/outbox/orphan-kinds.ts';
import { restoreOrphans } from '../../../../shared/platform/outbox/orphans.ts';
import { startApp } from '../../../support/app.ts';
import { newDraft, newSender } from '../../../support/sendable-campaigns.ts';

const app = await startApp();

const query = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  app.database.withConnection('*', (connection) => connection.query<Row>(text, values));

const freezes = () =>
  query<{ job_id: string }>("SELECT job_id FROM outbox WHERE name = 'mail.freeze_campaign'");

test('a lost freeze is asked for again; the job of a campaign whose recipients are settled goes on without a delivery', async () => {
  const { client, list_id } = await newSender(app);
  const lost = await client.post(`${await newDraft(client, { list_ids: [list_id] })}/send`);
  const settled = await client.post(`${await newDraft(client, { list_ids: [list_id] })}/send`);
  assert.deepEqual([lost.status, settled.status], [202, 202]);
  await query("DELETE FROM outbox WHERE name = 'mail.freeze_campaign'");
  await query('UPDATE mail_campaigns SET frozen_at = now() WHERE id = $1', [settled.body.campaign.id]);
  await restoreOrphans(app.database, orphanKindsOf(domains), new Date(), new AbortController().signal);
  assert.deepEqual(
    (await freezes()).map(({ job_id }) => job_id),
    [lost.body.job.id],
  );
  for (const { body } of [lost, settled]) {
    assert.equal((await client.get(`/jobs/${body.job.id}`)).body.job.status, 'queued');
  }
  await query("DELETE FROM outbox WHERE name = 'mail.freeze_campaign'");
  await query(`UPDATE mail_campaigns SET status = 'cancelled'`);
  await restoreOrphans(app.database, orphanKindsOf(domains), new Date(), new AbortController().signal);
  assert.deepEqual(await freezes(), []);
  assert.equal((await client.get(`/jobs/${lost.body.job.id}`)).body.job.status, 'failed');
});
