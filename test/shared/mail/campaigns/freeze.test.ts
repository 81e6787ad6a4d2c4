import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../../../shared/db/in-work.ts';
import { isId, timeOfId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { freezeSlice } from '../../../../shared/mail/campaigns/freeze.ts';
import { startApp } from '../../../support/app.ts';
import { somebodyWaits } from '../../../support/held.ts';
import { newDraft, newSender, type Sender } from '../../../support/sendable-campaigns.ts';

const app = await startApp();

type Recipient = { number: number; id: string; contact_id: string; status: string };

const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.jp`);

/** A campaign that has begun, whose recipients are not settled. */
async function begun(count: number): Promise<{ client: Sender; list_id: string; campaign_id: string }> {
  const { client, list_id } = await newSender(app, emails(count));
  const path = await newDraft(client, {
    list_ids: [list_id],
    body_html: '<p><a href="https://example.co.jp/">あ</a></p>',
  });
  const sent = await client.post(`${path}/send`);
  assert.equal(sent.status, 202, sent.text);
  return { client, list_id, campaign_id: sent.body.campaign.id };
}

function act<T>(
  { client }: { client: Sender },
  run: (work: Work) => Promise<T>,
  now = new Date(),
): Promise<T> {
  const { organization_id } = client.actor;
  return app.database.withConnection(organization_id, (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      run,
      { may_change_nothing: true },
    ),
  );
}

const recipientsOf = (campaign_id: string) =>
  app.database.withConnection('*', ({ query }) =>
    query<Recipient>(
      'SELECT number, id, contact_id, status FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number',
      [campaign_id],
    ),
  );

describe('the recipients of a campaign are settled', () => {
  test('slice by slice as by one: each contact once, numbered without a gap, with IDs of the house in that order', async () => {
    const campaign = await begun(10);
    const now = new Date('2026-11-27T01:02:03.456Z');
    const slices: (object | null)[] = [];
    for (;;) {
      const slice = await act(campaign, (work) => freezeSlice(work, campaign.campaign_id, 4), now);
      slices.push(slice);
      if (slice === null || slice.is_done) break;
    }
    assert.deepEqual(slices, [
      { is_done: false, recipients: 4, queued: 4 },
      { is_done: false, recipients: 8, queued: 8 },
      { is_done: true, recipients: 10, queued: 10 },
    ]);
    const rows = await recipientsOf(campaign.campaign_id);
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: 10 }, (_, n) => n + 1),
    );
    const ids = rows.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    for (const id of ids) {
      assert.ok(isId(id, 'mrcp'), id);
      assert.equal(timeOfId(id).toISOString(), now.toISOString());
    }
    assert.equal(new Set(ids.map((id) => id.slice(-9))).size, 10);
    assert.equal(new Set(rows.map(({ contact_id }) => contact_id)).size, 10);
    assert.equal(await act(campaign, (work) => freezeSlice(work, campaign.campaign_id, 4)), null);
  });

  test('again where it was rolled back: nothing is there twice', async () => {
    const campaign = await begun(5);
    const { campaign_id } = campaign;
    await act(campaign, (work) => freezeSlice(work, campaign_id, 2));
    await assert.rejects(
      act(campaign, async (work) => {
        await freezeSlice(work, campaign_id, 2);
        await work.flush();
        throw new Error('It ends here');
      }),
      /It ends here/,
    );
    assert.equal((await recipientsOf(campaign_id)).length, 2);
    const last = await act(campaign, (work) => freezeSlice(work, campaign_id, 100));
    assert.deepEqual(last, { is_done: true, recipients: 5, queued: 5 });
    assert.equal((await recipientsOf(campaign_id)).length, 5);
  });

  test('by two at once: each contact once', async () => {
    const campaign = await begun(20);
    const { campaign_id } = campaign;
    const run = async () => {
      while ((await act(campaign, (work) => freezeSlice(work, campaign_id, 3)))?.is_done === false);
    };
    await Promise.all([run(), run(), run()]);
    const rows = await recipientsOf(campaign_id);
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });

  test('without a contact whose erasure was under way, and with those who come after it', async () => {
    const campaign = await begun(6);
    const { campaign_id, client } = campaign;
    const { items } = (await client.get('/mail/contacts?search=p3')).body;
    const contact_id: string = items[0].id;
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const erasing = act(campaign, async (work) => {
      await work.connection.query('DELETE FROM mail_contacts WHERE organization_id = $1 AND id = $2', [
        work.organization_id,
        contact_id,
      ]);
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    const freezing = (async () => {
      while ((await act(campaign, (work) => freezeSlice(work, campaign_id, 5)))?.is_done === false);
    })();
    await somebodyWaits(app.database);
    held.resolve();
    await Promise.all([erasing, freezing]);
    const rows = await recipientsOf(campaign_id);
    assert.equal(rows.length, 5);
    assert.ok(!rows.some((row) => row.contact_id === contact_id));
  });

  test('also of one that is paused, and no more of one that was cancelled', async () => {
    for (const [status, count] of [
      ['paused', 2],
      ['cancelled', 0],
    ] as const) {
      const campaign = await begun(2);
      const { campaign_id } = campaign;
      await act(campaign, async ({ connection, organization_id }) => {
        await connection.query(
          'UPDATE mail_campaigns SET status = $3 WHERE organization_id = $1 AND id = $2',
          [organization_id, campaign_id, status],
        );
      });
      await act(campaign, (work) => freezeSlice(work, campaign_id));
      assert.equal((await recipientsOf(campaign_id)).length, count, status);
    }
  });
});
