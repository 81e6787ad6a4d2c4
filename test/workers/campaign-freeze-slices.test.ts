import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freezeSliceAt } from '../../shared/mail/campaigns/freeze.ts';
import { freezeCampaign } from '../../workers/mail/freeze-campaign.ts';
import { startApp } from '../support/app.ts';
import { takeJob } from '../support/deliveries.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { newDraft, newSender } from '../support/sendable-campaigns.ts';

const app = await startApp();

type Payload = Parameters<typeof freezeCampaign>[0];

describe('the recipients that one statement settles', () => {
  test('are a quarter at each try, and never fewer than 1,000', () => {
    assert.deepEqual([1, 2, 3, 4, 5, 10].map(freezeSliceAt), [100_000, 25_000, 6_250, 1_562, 1_000, 1_000]);
  });

  for (const { attempt, parts } of [
    { attempt: 1, parts: 1 },
    { attempt: 10, parts: 3 },
  ])
    test(`of 2,500 are settled in parts: ${parts} at try ${attempt}`, async () => {
      const { client } = await newSender(app);
      await seedMailContacts(app.database, client.actor.organization_id, 2_499);
      const made = await client.post('/mail/segments', { name: '全員', filter: { all: [] } });
      assert.equal(made.status, 201, made.text);
      const path = await newDraft(client, { segment_id: made.body.segment.id });
      const sent = await client.post(`${path}/send`);
      assert.equal(sent.status, 202, sent.text);
      let done = 0;
      const step = async () => {
        done += 1;
      };
      const { database } = app;
      const { payload, delivery } = await takeJob<Payload>({ database, step }, sent.body.job.id);
      await freezeCampaign(payload, { ...delivery, attempt });
      assert.equal(done, parts);
      const { stats } = (await client.get(path)).body.campaign;
      assert.equal(stats.recipients, 2_500);
    });
});
