import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Mailed, mailedCampaign } from '../../support/mailed-campaigns.ts';

// What is expected follows from how long ago a campaign began, however long the calls take.
const now = new Date();
const app = await startApp({ now: () => now });

describe('expected_finish_at of a campaign under way', () => {
  test('goes by the mails since it began or was resumed, by who is tried again, and not while the server is away', async () => {
    const client = await app.actor();
    const queued = Array.from(
      { length: 100 },
      (_, n): Mailed => ({ email: `p${n}@example.jp`, status: 'queued' }),
    );
    const id = await mailedCampaign(app, client, queued, { status: 'sending' });
    const path = `/mail/campaigns/${id}`;
    const set = (text: string) =>
      app.database.withConnection(client.actor.organization_id, ({ query }) =>
        query(text, [id, now.toISOString()]),
      );
    const seconds = async () => {
      const { expected_finish_at } = (await client.get(path)).body.campaign;
      return expected_finish_at === null ? null : (Date.parse(expected_finish_at) - now.getTime()) / 1_000;
    };
    /** It is told in whole seconds. */
    const assertIn = async (expected: number) => {
      const found = await seconds();
      assert.ok(found !== null && found >= expected && found < expected + 1, `${found}, not ${expected}`);
    };
    await set("UPDATE mail_campaigns SET frozen_at = $2::timestamptz - interval '1 hour' WHERE id = $1");
    await set(`INSERT INTO mail_send_spans (organization_id, scope, span, until, count)
      SELECT organization_id, id, 'minute', (extract(epoch FROM $2::timestamptz + interval '5 seconds') * 1000000)::bigint, 20
        FROM mail_campaigns WHERE id = $1`);
    await assertIn(300);
    await set("UPDATE mail_campaigns SET resumed_at = $2::timestamptz - interval '20 seconds' WHERE id = $1");
    await assertIn(100);
    await set(`UPDATE mail_campaign_recipients SET next_attempt_at = $2::timestamptz + interval '2 hours'
      WHERE campaign_id = $1 AND number = 7`);
    await assertIn(7_200);
    await set('UPDATE mail_campaigns SET unreachable_since = $2::timestamptz WHERE id = $1');
    assert.equal(await seconds(), null);
  });

  test('is counted from a resume', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, [{ email: 'a@example.jp', status: 'queued' }], {
      status: 'paused',
    });
    assert.equal((await client.post(`/mail/campaigns/${id}/resume`, {})).status, 200);
    const [row] = await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query<{ is_now: boolean }>(
        'SELECT resumed_at = $2::timestamptz AS is_now FROM mail_campaigns WHERE id = $1',
        [id, now.toISOString()],
      ),
    );
    assert.equal(row!.is_now, true);
  });
});
