import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pino from 'pino';
import { dueCampaigns } from '../../../shared/mail/campaigns/due.ts';
import { slices } from '../../../shared/mail/sending/sweep.ts';
import { giveUp } from '../../../workers/kernel/giving-up.ts';
import { mailHandlers } from '../../../workers/mail/handlers.ts';
import { startApp } from '../../support/app.ts';
import { begunCampaign } from '../../support/begun-campaigns.ts';
import { takeDelivery } from '../../support/deliveries.ts';
import { newDraft, newSender, type Sender } from '../../support/sendable-campaigns.ts';

const app = await startApp();

const handled = new Map(
  mailHandlers({
    outside: app.context.outside,
    server: { has_mail_server: true },
    settings: app.context.settings,
  }).map((each) => [each.job.name, each]),
);

type Waiting = { id: string; name: string; payload: { campaign_id: string } };

async function waiting(campaign_id: string): Promise<Waiting[]> {
  return app.database.withConnection('*', ({ query }) =>
    query<Waiting>(
      "SELECT id, name, payload FROM outbox WHERE payload ->> 'campaign_id' = $1 AND failed_at IS NULL ORDER BY id",
      [campaign_id],
    ),
  );
}

/** Gives the only delivery of a campaign up, as after its last try. */
async function giveUpFor(campaign_id: string): Promise<string> {
  const [asked, ...others] = await waiting(campaign_id);
  assert.equal(others.length, 0);
  const { start } = await takeDelivery({ database: app.database }, asked!.id);
  const options = { database: app.database, payload: asked!.payload, now: new Date() };
  const isGivenUp = await giveUp(
    { ...options, handled: handled.get(asked!.name), log: pino({ level: 'silent' }) },
    start,
    { reason: 'a fault', told: { code: 'gave_up', message: 'Given up after 30 tries' } },
  );
  assert.ok(isGivenUp);
  return asked!.name;
}

const shown = async (client: Sender, campaign_id: string) => {
  const { campaign } = (await client.get(`/mail/campaigns/${campaign_id}`)).body;
  return [campaign.status, campaign.pause_reason];
};

const renew = () => slices.run(app.database, new Date(), new AbortController().signal);

async function resume(client: Sender, campaign_id: string) {
  const resumed = await client.post(`/mail/campaigns/${campaign_id}/resume`, {});
  assert.equal(resumed.status, 200, resumed.text);
  assert.deepEqual(await shown(client, campaign_id), ['sending', null]);
}

const jobOf = async (client: Sender) => (await client.get('/jobs')).body.items[0];

describe('a campaign whose work is given up', () => {
  test('in a slice, pauses with the reason; resumed, it goes on, and what is lost is renewed', async () => {
    const { client, campaign_id, act } = await begunCampaign(app, ['taro@example.jp']);
    await act((work) =>
      work.connection.query('DELETE FROM outbox WHERE organization_id = $1', [work.organization_id]),
    );
    await renew();
    assert.equal(await giveUpFor(campaign_id), 'mail.send_slice');
    assert.deepEqual(await shown(client, campaign_id), ['paused', 'sending_failed']);
    assert.equal((await jobOf(client)).status, 'paused');
    await resume(client, campaign_id);
    await act((work) =>
      work.connection.query('DELETE FROM outbox WHERE organization_id = $1 AND failed_at IS NULL', [
        work.organization_id,
      ]),
    );
    await renew();
    assert.equal((await waiting(campaign_id)).length, 1, 'beside the one that was given up');
  });

  test('before its recipients are settled, pauses too; resumed, its job goes on', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    const { campaign } = (await client.post(`${path}/send`)).body;
    assert.equal(await giveUpFor(campaign.id), 'mail.freeze_campaign');
    assert.deepEqual(await shown(client, campaign.id), ['paused', 'sending_failed']);
    assert.equal((await jobOf(client)).status, 'failed');
    await resume(client, campaign.id);
    assert.equal((await jobOf(client)).status, 'queued');
    assert.deepEqual(
      (await waiting(campaign.id)).map(({ name }) => name),
      ['mail.freeze_campaign'],
    );
  });

  test('at its time, is a draft that says so, and can be scheduled again', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    const soon = () => new Date(Date.now() + 120_000).toISOString();
    const scheduled = await client.post(`${path}/schedule`, { scheduled_at: soon() });
    assert.equal(scheduled.status, 200, scheduled.text);
    const { id } = scheduled.body.campaign;
    const due = async () => {
      return dueCampaigns.run(app.database, new Date(Date.now() + 600_000), new AbortController().signal);
    };
    await due();
    assert.equal(await giveUpFor(id), 'mail.start_campaign');
    assert.deepEqual(await shown(client, id), ['draft', 'start_failed']);
    assert.equal((await client.post(`${path}/schedule`, { scheduled_at: soon() })).status, 200);
    assert.deepEqual(await shown(client, id), ['scheduled', null]);
    await due();
    assert.deepEqual(
      (await waiting(id)).map(({ name }) => name),
      ['mail.start_campaign'],
    );
  });
});
