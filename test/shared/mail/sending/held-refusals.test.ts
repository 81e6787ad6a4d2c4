import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skipCancelledRecipients } from '../../../../workers/mail/sending/skip-cancelled.ts';
import { startApp } from '../../../support/app.ts';
import { type Begun, begunCampaign } from '../../../support/begun-campaigns.ts';
import { takeDelivery } from '../../../support/deliveries.ts';
import { countsByStatus, rowsOf } from '../../../support/sent-campaigns.ts';
import { gone, runSlice } from '../../../support/slices.ts';

const app = await startApp();

async function standing({ campaign_id }: Pick<Begun, 'campaign_id'>) {
  const rows = Object.values(await rowsOf(app, campaign_id));
  return rows.map(({ status, reason, bounce_class }) => `${status}: ${reason}: ${bounce_class}`);
}

const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.jp`);

async function call({ client, campaign_id }: Begun, action: string): Promise<void> {
  const done = await client.post(`/mail/campaigns/${campaign_id}/${action}`, {});
  assert.equal(done.status, 200, done.text);
}

/** Refuses everybody; what `amid` does is done while the mail of that number is at the server. */
async function refuseAll(campaign: Begun, number: number, amid: () => Promise<void>): Promise<void> {
  let handed = 0;
  const handOver = async () => {
    handed += 1;
    if (handed === number) await amid();
    return gone;
  };
  await runSlice(app, campaign, { handOver });
}

/** Runs what was asked for to end the recipients of the cancelled campaign. */
async function skipCancelled({ campaign_id }: Begun): Promise<void> {
  const asked = await app.database.withConnection('*', ({ query }) =>
    query<{ id: string }>(
      `SELECT id FROM outbox WHERE name = 'mail.skip_cancelled' AND payload ->> 'campaign_id' = $1`,
      [campaign_id],
    ),
  );
  for (const { id } of asked) {
    const taken = await takeDelivery({ database: app.database }, id);
    await skipCancelledRecipients({ campaign_id }, taken);
    await taken.settle(async () => {});
  }
}

describe('refusals in a row, of which nobody knows yet whom they are about', () => {
  test('are of the recipients where the campaign is cancelled under way', async () => {
    const campaign = await begunCampaign(app, emails(6));
    await refuseAll(campaign, 2, async () => {
      await call(campaign, 'cancel');
      await skipCancelled(campaign);
    });
    await skipCancelled(campaign);
    const { failed, skipped, ...others } = await countsByStatus(app, campaign.campaign_id);
    assert.deepEqual(others, {});
    assert.deepEqual(await standing(campaign), [
      ...Array.from({ length: failed! }, () => 'failed: refused: hard'),
      ...Array.from({ length: skipped! }, () => 'skipped: cancelled: null'),
    ]);
  });

  test('and where it was paused with them, and is cancelled then', async () => {
    const campaign = await begunCampaign(app, emails(6));
    await refuseAll(campaign, 2, () => call(campaign, 'pause'));
    const held = (await standing(campaign)).filter((row) => row === 'failed: refused_in_a_row: null');
    assert.ok(held.length >= 2);
    await call(campaign, 'cancel');
    await skipCancelled(campaign);
    assert.deepEqual(
      [...new Set(await standing(campaign))],
      ['failed: refused: hard', 'skipped: cancelled: null'],
    );
  });

  test('leave nobody queued where they are about the sender and the campaign was cancelled meanwhile', async () => {
    const campaign = await begunCampaign(app, emails(24));
    await refuseAll(campaign, 20, async () => {
      await call(campaign, 'cancel');
      await skipCancelled(campaign);
    });
    await skipCancelled(campaign);
    const { failed = 0, skipped, ...others } = await countsByStatus(app, campaign.campaign_id);
    assert.deepEqual([failed + skipped!, others], [24, {}], (await standing(campaign)).join('\n'));
    const { campaign: shown } = (await campaign.client.get(`/mail/campaigns/${campaign.campaign_id}`)).body;
    assert.equal(shown.status, 'cancelled');
  });
});
