import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../../shared/kernel/id.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { leaveLists } from '../../../../shared/mail/guests/unsubscribe.ts';
import { lockRecipients } from '../../../../shared/mail/sending/lock.ts';
import { bounceHeld, type Settlement, settleRecipients } from '../../../../shared/mail/sending/settle.ts';
import type { Letter } from '../../../../workers/mail/sending/dialogue.ts';
import { startApp } from '../../../support/app.ts';
import { anotherBegun, type Begun, begunCampaign } from '../../../support/begun-campaigns.ts';
import { mailTokens } from '../../../support/campaign-mails.ts';
import { somebodyWaits } from '../../../support/held.ts';
import { rowsOf } from '../../../support/sent-campaigns.ts';
import { runSlice } from '../../../support/slices.ts';

const app = await startApp();

const newLease = () => newId('dlv', new Date());

/** The first of the list refuses by the mail of another campaign. */
async function unsubscribe({ client, list_id }: Begun, body: object) {
  const { campaign_id } = await anotherBegun(app, client, { list_ids: [list_id] });
  const token = await mailTokens(app, client.actor.organization_id, campaign_id, 1);
  const reply = await client.post(`/mail/u/${token('unsubscribe')}`, body);
  assert.equal(reply.status, 200, reply.text);
}

async function standing({ campaign_id }: Pick<Begun, 'campaign_id'>) {
  const rows = Object.values(await rowsOf(app, campaign_id));
  return rows.map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`));
}

describe('who refuses after the recipients are settled', () => {
  test('of a list that is removed before the mails leave, gets none: who stayed in it does', async () => {
    const campaign = await begunCampaign(app, ['left@example.jp', 'stays@example.jp']);
    const { client, list_id, act, mark } = campaign;
    await unsubscribe(campaign, { list_ids: [list_id] });
    assert.equal((await client.delete(`/mail/lists/${list_id}`)).status, 200);
    assert.deepEqual(await act((work) => mark(work, newLease())), [2]);
    assert.deepEqual(await standing(campaign), ['skipped: unsubscribed', 'sending']);
  });

  test('of a list that the segment asks for, gets none, whether they left before the start or after it', async () => {
    const emails = ['before@example.jp', 'after@example.jp', 'stays@example.jp'];
    const first = await begunCampaign(app, emails);
    const { client, list_id } = first;
    const leaves = async (number: number) => {
      const token = await mailTokens(app, client.actor.organization_id, first.campaign_id, number);
      const left = await client.post(`/mail/u/${token('unsubscribe')}`, { list_ids: [list_id] });
      assert.equal(left.status, 200, left.text);
    };
    await leaves(1);
    const filter = { all: [{ field: 'list_id', op: 'equals', value: list_id }] };
    const segment = await client.post('/mail/segments', { name: '会員', filter });
    const { id: segment_id } = segment.body.segment;
    const campaign = await anotherBegun(app, client, { list_ids: [], segment_id });
    const { checks } = (await client.get(`/mail/campaigns/${campaign.campaign_id}/checks`)).body;
    assert.deepEqual(checks.audience, { matched: 3, eligible: 2, skipped_by: { unsubscribed: 1 } });
    assert.deepEqual(await standing(campaign), ['skipped: unsubscribed', 'queued', 'queued']);
    await leaves(2);
    const handed: string[] = [];
    const handOver = async ({ envelope }: Letter) => {
      handed.push(envelope.to);
      return { kind: 'taken', reply: '250 Ok' } as const;
    };
    await runSlice(app, campaign, { handOver });
    assert.deepEqual(handed, ['stays@example.jp']);
    assert.deepEqual(await standing(campaign), ['skipped: unsubscribed', 'skipped: unsubscribed', 'sent']);
  });

  test('while the mark is not committed, waits for it: then the mail has begun', async () => {
    const campaign = await begunCampaign(app, ['taro@example.jp']);
    let refusing: Promise<void> | undefined;
    const first = await campaign.act(async (work) => {
      assert.deepEqual(await campaign.mark(work, newLease()), [1]);
      refusing = unsubscribe(campaign, { all: true });
      return Promise.race([refusing.then(() => 'refused'), somebodyWaits(app.database).then(() => 'waits')]);
    });
    assert.equal(first, 'waits');
    await refusing;
  });

  test('and has not committed it yet, is passed over, and skipped then', async () => {
    const campaign = await begunCampaign(app, ['left@example.jp', 'stays@example.jp']);
    const other = await anotherBegun(app, campaign.client, { list_ids: [campaign.list_id] });
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ id: string }>('SELECT id FROM mail_campaign_recipients WHERE campaign_id = $1 AND number = 1', [
        other.campaign_id,
      ]),
    );
    await campaign.act(async (work) => {
      await leaveLists(work, row!.id, [campaign.list_id]);
      await work.flush();
      assert.deepEqual(await campaign.act((other) => campaign.mark(other, newLease())), [2]);
    });
    assert.deepEqual(await campaign.act((work) => campaign.mark(work, newLease())), []);
    assert.deepEqual(await standing(campaign), ['skipped: unsubscribed', 'sending']);
  });
});

const none = { next_attempt_at: null, attempts: 1, smtp_response: null, reason: null, bounce: null } as const;

function settlement(number: number, how: 'sent' | 'bounced'): Settlement {
  const bounce = { class: 'hard', status: '5.1.1', diagnostic: null } as const;
  const outcome =
    how === 'sent'
      ? { ...none, status: 'sent' as const }
      : { ...none, status: 'failed' as const, reason: 'refused', bounce };
  return { number, outcome, message_id: null, at: new Date().toISOString() };
}

describe('answers are settled', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.jp`);

  const settle = (work: Work, campaign_id: string, lease_id: string, settlements: readonly Settlement[]) =>
    settleRecipients(work, { campaign_id, lease_id, status: 'sending' }, settlements);

  test('with the contacts in the order of their addresses, whatever became of each', async () => {
    const { act, mark, campaign_id } = await begunCampaign(app, names.slice(0, 2));
    const lease_id = newLease();
    await act((work) => mark(work, lease_id));
    const lock = (work: Work, email: string, how: string) =>
      work.connection.query(`SELECT FROM mail_contacts WHERE organization_id = $1 AND email = $2 ${how}`, [
        work.organization_id,
        email,
      ]);
    let settling: Promise<void> | undefined;
    await act(async (work) => {
      await lock(work, names[0]!, 'FOR NO KEY UPDATE');
      settling = act((other) =>
        settle(other, campaign_id, lease_id, [settlement(1, 'sent'), settlement(2, 'bounced')]),
      );
      await somebodyWaits(app.database);
      await lock(work, names[1]!, 'FOR NO KEY UPDATE NOWAIT');
    });
    await settling;
  });

  test('of two campaigns to the same people side by side, without losing one against the other', async () => {
    const one = await begunCampaign(app, names);
    const other = await anotherBegun(app, one.client, { list_ids: [one.list_id] });
    let runs = 0;
    const rounds = 12;
    for (let round = 0; round < rounds; round++) {
      await one.act(async ({ organization_id, connection }) => {
        for (const text of [
          `UPDATE mail_campaign_recipients SET status = 'queued', reason = NULL, bounce_class = NULL, bounce_at = NULL
            WHERE organization_id = $1`,
          `UPDATE mail_contacts SET status = 'active' WHERE organization_id = $1`,
          'DELETE FROM suppressions WHERE organization_id = $1',
        ])
          await connection.query(text, [organization_id]);
      });
      await Promise.all(
        [one, other].map(async ({ act, mark, campaign_id }, index) => {
          const lease_id = newLease();
          const numbers = await act((work) => mark(work, lease_id));
          await act(async (work) => {
            runs += 1;
            const settlements = numbers.map((number) =>
              settlement(number, (number + index) % 2 === 0 ? 'sent' : 'bounced'),
            );
            await lockRecipients(work, campaign_id, numbers);
            await settle(work, campaign_id, lease_id, settlements.slice(2));
            await bounceHeld(work, campaign_id, []);
            await settle(work, campaign_id, lease_id, settlements.slice(0, 2));
          });
        }),
      );
    }
    assert.equal(runs, rounds * 2, 'none was run again');
  });
});
