import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp } from '../../support/app.ts';
import { anotherBegun } from '../../support/begun-campaigns.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { newSender } from '../../support/sendable-campaigns.ts';
import { countsByStatus } from '../../support/sent-campaigns.ts';
import { runSlice } from '../../support/slices.ts';

const CONTACTS = 300;

const app = await startApp();

test('a limit that is lowered while a campaign is sent holds within the slice that sends it', async () => {
  const { client, list_id } = await newSender(app, []);
  await seedMailContacts(app.database, client.actor.organization_id, CONTACTS, { list_id, indexed: false });
  const campaign = await anotherBegun(app, client, { list_ids: [list_id], purpose: 'notice' });
  let handed = 0;
  const handOver = async () => {
    handed += 1;
    if (handed === 1) {
      const throttle = { per_hour: 1 };
      const changed = await client.patch(`/mail/campaigns/${campaign.campaign_id}`, { throttle });
      assert.equal(changed.status, 200, changed.text);
    }
    // A server takes its time: of all mails together more than a slice needs to hear of the limit.
    await pause(20);
    return { kind: 'taken', reply: '250 Ok' } as const;
  };
  await assert.rejects(runSlice(app, campaign, { handOver }), /waits for its limits/);
  const { queued, sent, sending } = await countsByStatus(app, campaign.campaign_id);
  assert.deepEqual([sent, sending], [handed, undefined]);
  assert.ok(queued! > 0, `${handed} mails left`);
});
