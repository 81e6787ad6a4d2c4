import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Door } from '../../../workers/mail/sending/door.ts';
import { startApp } from '../../support/app.ts';
import { anotherBegun } from '../../support/begun-campaigns.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { newSender } from '../../support/sendable-campaigns.ts';
import { countsByStatus } from '../../support/sent-campaigns.ts';
import { gone, runSlice } from '../../support/slices.ts';

const app = await startApp();

/** A slice has so many mails in hand over its one connection. */
const IN_HAND = 4;

async function campaignTo(contacts: number) {
  const { client, list_id } = await newSender(app, []);
  await seedMailContacts(app.database, client.actor.organization_id, contacts, { list_id, indexed: false });
  return anotherBegun(app, client, { list_ids: [list_id], purpose: 'notice' });
}

const taken = { kind: 'taken', reply: '250 Ok' } as const;
describe('a campaign of which too much comes back', () => {
  test('of its first 200 mails pauses with the 200th, also where all that followed were taken', async () => {
    const campaign = await campaignTo(300);
    let handed = 0;
    const handOver: Door['handOver'] = async () => {
      handed += 1;
      return handed <= 12 ? gone : taken;
    };
    await runSlice(app, campaign, { handOver });
    const { campaign: shown } = (await campaign.client.get(`/mail/campaigns/${campaign.campaign_id}`)).body;
    assert.deepEqual([shown.status, shown.pause_reason], ['paused', 'bounce_rate']);
    assert.ok(handed >= 200 && handed <= 200 + 2 * IN_HAND, `${handed} mails left`);
    const { sent, failed } = await countsByStatus(app, campaign.campaign_id);
    assert.deepEqual([failed, sent], [12, handed - 12]);
  });

  test('and that was complained of early pauses with the 1,000th', async () => {
    const campaign = await campaignTo(40);
    await campaign.act(({ connection, organization_id }) =>
      connection.query(
        `INSERT INTO mail_campaign_counts (organization_id, campaign_id, slot, sent, complaints) VALUES ($1, $2, 15, 990, 5)
         ON CONFLICT (organization_id, campaign_id, slot) DO UPDATE SET sent = 990, complaints = 5`,
        [organization_id, campaign.campaign_id],
      ),
    );
    let handed = 0;
    const handOver: Door['handOver'] = async () => {
      handed += 1;
      return taken;
    };
    await runSlice(app, campaign, { handOver });
    const { campaign: shown } = (await campaign.client.get(`/mail/campaigns/${campaign.campaign_id}`)).body;
    assert.deepEqual([shown.status, shown.pause_reason], ['paused', 'complaint_rate']);
    assert.ok(handed >= 10 && handed <= 10 + 2 * IN_HAND, `${handed} mails left`);
  });
});
