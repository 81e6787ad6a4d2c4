import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../../../shared/db/in-work.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { freezeSlice } from '../../../../shared/mail/campaigns/freeze.ts';
import { analyzeRecipients } from '../../../../shared/mail/campaigns/statistics.ts';
import { LEASE, markRecipients } from '../../../../shared/mail/sending/mark.ts';
import { type Settlement, settleRecipients } from '../../../../shared/mail/sending/settle.ts';
import { slices } from '../../../../shared/mail/sending/sweep.ts';
import { startApp } from '../../../support/app.ts';
import { newDraft, newSender, type Sender } from '../../../support/sendable-campaigns.ts';

const app = await startApp();

type Begun = { client: Sender; campaign_id: string };

/** A campaign under way, whose recipients are settled. */
async function begun(emails: readonly string[]): Promise<Begun> {
  const { client, list_id } = await newSender(app, [...emails]);
  const path = await newDraft(client, { list_ids: [list_id] });
  const sent = await client.post(`${path}/send`);
  assert.equal(sent.status, 202, sent.text);
  const campaign = { client, campaign_id: sent.body.campaign.id };
  await act(campaign, (work) => freezeSlice(work, campaign.campaign_id));
  return campaign;
}

function act<T>({ client }: Pick<Begun, 'client'>, run: (work: Work) => Promise<T>): Promise<T> {
  const { organization_id } = client.actor;
  const who = { organization_id, actor: systemActor, now: new Date(), request_id: null, ip_address: null };
  return app.database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection }, run, { may_change_nothing: true }),
  );
}

const query = <Row extends object>(text: string, values: unknown[]) =>
  app.database.withConnection('*', (connection) => connection.query<Row>(text, values, { prepared: false }));

async function marked(campaign: Begun): Promise<number[]> {
  const rules = { id: campaign.campaign_id, purpose: 'notice', mail_order: false, list_ids: [] } as const;
  const { marked } = await act(campaign, (work) =>
    markRecipients(work, rules, { most: 2, lease_id: newId('dlv', work.now) }),
  );
  return marked.map(({ number }) => number);
}

describe('recipients are marked', () => {
  test('only while their campaign is under way, as many as may be, none twice', async () => {
    const campaign = await begun(['a@example.jp', 'b@example.jp', 'c@example.jp']);
    const change = (status: string) =>
      query('UPDATE mail_campaigns SET status = $2 WHERE id = $1', [campaign.campaign_id, status]);
    await change('paused');
    assert.deepEqual(await marked(campaign), []);
    await change('sending');
    assert.deepEqual(await marked(campaign), [1, 2]);
    assert.deepEqual(await marked(campaign), [3]);
  });

  test('and who is not mailed after all, or nobody knows of, has no next attempt', async () => {
    const campaign = await begun(['again@example.jp', 'died@example.jp']);
    const { campaign_id } = campaign;
    await query(
      `UPDATE mail_campaign_recipients SET attempts = 1, next_attempt_at = now() - interval '1 minute' WHERE campaign_id = $1`,
      [campaign_id],
    );
    await query(
      `UPDATE mail_contacts SET status = 'unsubscribed' WHERE organization_id = $1 AND email = 'again@example.jp'`,
      [campaign.client.actor.organization_id],
    );
    assert.deepEqual(await marked(campaign), [2]);
    await slices.run(app.database, new Date(Date.now() + 2 * LEASE), new AbortController().signal);
    assert.deepEqual(
      await query(
        'SELECT status, reason, next_attempt_at FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number',
        [campaign_id],
      ),
      [
        { status: 'skipped', reason: 'unsubscribed', next_attempt_at: null },
        { status: 'unknown', reason: 'worker_died', next_attempt_at: null },
      ],
    );
  });

  test('and who has withdrawn that opens and clicks are counted gets a mail without', async () => {
    const { client, list_id } = await newSender(app, ['agrees@example.jp', 'withdraws@example.jp']);
    const { organization_id } = client.actor;
    const agree = (email: string, tracking: boolean) =>
      query('UPDATE mail_contacts SET consent = $3 WHERE organization_id = $1 AND email = $2', [
        organization_id,
        email,
        { basis: 'consent', at: '2026-01-01T00:00:00Z', tracking },
      ]);
    await agree('agrees@example.jp', true);
    await agree('withdraws@example.jp', true);
    const path = await newDraft(client, { list_ids: [list_id] });
    const campaign_id: string = (await client.post(`${path}/send`)).body.campaign.id;
    const campaign = { client, campaign_id };
    await act(campaign, (work) => freezeSlice(work, campaign_id));
    const trackedOf = async () => (await client.get(path)).body.campaign.stats.tracked;
    assert.equal(await trackedOf(), 2);
    await agree('withdraws@example.jp', false);
    const rules = { id: campaign_id, purpose: 'notice', mail_order: false, list_ids: [] } as const;
    const { marked } = await act(campaign, (work) =>
      markRecipients(work, rules, { most: 2, lease_id: newId('dlv', work.now) }),
    );
    assert.deepEqual(
      marked.map(({ email, tracked }) => [email, tracked]),
      [
        ['agrees@example.jp', true],
        ['withdraws@example.jp', false],
      ],
    );
    const rows = await query(
      'SELECT tracked FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number',
      [campaign_id],
    );
    assert.deepEqual(rows, [{ tracked: true }, { tracked: false }]);
    assert.equal(await trackedOf(), 1);
  });

  test('and what a slice learns too late queues nothing of a campaign that is over', async () => {
    for (const [over, expected] of [
      ['sent', { status: 'unknown', reason: null }],
      ['cancelled', { status: 'skipped', reason: 'cancelled' }],
      ['sending', { status: 'queued', reason: null }],
    ] as const) {
      const campaign = await begun(['late@example.jp']);
      const { campaign_id } = campaign;
      const lease_id = newId('dlv', new Date());
      await query(
        `UPDATE mail_campaign_recipients SET status = 'unknown', lease_id = $2, attempts = 0 WHERE campaign_id = $1`,
        [campaign_id, lease_id],
      );
      const at = new Date().toISOString();
      const again = {
        status: 'queued',
        reason: null,
        attempts: 1,
        next_attempt_at: at,
        smtp_response: '451 later',
      };
      const outcome = { ...again, bounce: null } as Settlement['outcome'];
      await act(campaign, (work) =>
        settleRecipients(work, { campaign_id, lease_id, status: over }, [
          { number: 1, outcome, message_id: null, at },
        ]),
      );
      const rows = await query('SELECT status, reason FROM mail_campaign_recipients WHERE campaign_id = $1', [
        campaign_id,
      ]);
      assert.deepEqual(rows, [expected], over);
    }
  });

  test('of a large campaign by plans that know how large it is', async () => {
    const campaign = await begun(['a@example.jp']);
    const { organization_id } = campaign.client.actor;
    const recipients = 2_000;
    await query(
      `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, email_hash, status, tracked, created_at, updated_at)
       SELECT organization_id, campaign_id, number, 'mrcp_' || number, email_hash, status, tracked, created_at, updated_at
         FROM (SELECT organization_id, campaign_id, email_hash, status, tracked, created_at, updated_at
                 FROM mail_campaign_recipients WHERE campaign_id = $1) AS first, generate_series(2, $2::integer) AS number`,
      [campaign.campaign_id, recipients],
    );
    await app.database.withConnection('*', (connection) =>
      analyzeRecipients(connection, { organization_id, campaign_id: campaign.campaign_id, recipients }),
    );
    const [explained] = await query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      `EXPLAIN (FORMAT JSON) SELECT FROM mail_campaign_recipients WHERE organization_id = $1 AND campaign_id = $2`,
      [organization_id, campaign.campaign_id],
    );
    const expected = explained!['QUERY PLAN'][0].Plan['Plan Rows'];
    assert.ok(expected > recipients / 2, `the planner expects ${expected} of ${recipients}`);
  });
});
