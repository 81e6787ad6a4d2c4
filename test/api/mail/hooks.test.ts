import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type CampaignMail, campaignMail, countsOf, runCampaignJobs } from '../../support/campaign-mails.ts';
import type { Client } from '../../support/client.ts';
import { deliveryReport, feedbackReport, plainMail } from '../../support/mail-reports.ts';

const app = await startApp();

const MAIL = { 'Content-Type': 'message/rfc822' };

async function hookOf(client: Client): Promise<string> {
  const made = await client.post('/mail/settings/hook-token');
  assert.equal(made.status, 201, made.text);
  return new URL(made.body.url).pathname.replace('/api/v1', '');
}

const reportOf = (mail: CampaignMail, more: { status?: string; action?: string } = {}) =>
  deliveryReport({ to: `bounce+${mail.token('bounce')}@example.co.jp`, ...more });

async function contactOf(client: Client, { contact_id }: CampaignMail) {
  const { contact } = (await client.get(`/mail/contacts/${contact_id}`)).body;
  return [contact.status, contact.status_reason];
}

const resultsOf = async (client: Client) =>
  (await client.get('/mail/inbound-messages')).body.items.map(({ result }: { result: string }) => result);

const suppressionsOf = async (client: Client) =>
  (await client.get('/mail/suppressions')).body.items.map(({ reason }: { reason: string }) => reason);

describe('POST /mail/hooks/{token}', () => {
  test('202: a hard bounce counts once, and is taken back', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await campaignMail(app, client, { status: 'unknown' });
    for (let sent = 0; sent < 2; sent += 1) {
      const reply = await client.post(hook, reportOf(mail), MAIL);
      assert.deepEqual([reply.status, reply.body], [202, { accepted: 1, ignored: 0 }], reply.text);
      await runCampaignJobs(app);
    }
    const again = await client.post(hook, `X-Other: 1\r\n${reportOf(mail)}`, MAIL);
    assert.equal(again.status, 202);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, mail), ['bounced', 'hard_bounce']);
    assert.deepEqual(await suppressionsOf(client), ['hard_bounce']);
    assert.deepEqual(await resultsOf(client), ['bounce', 'bounce']);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { sent: 1, unknown: -1, hard_bounces: 1 });
    const asked = await client.post(`/mail/campaigns/${mail.campaign_id}/bounces/revert`);
    assert.equal(asked.status, 202, asked.text);
    await runCampaignJobs(app);
    const job = (await client.get(`/jobs/${asked.body.job.id}`)).body.job;
    assert.deepEqual([job.status, job.result], ['succeeded', { reverted: 1 }]);
    assert.deepEqual(await contactOf(client, mail), ['active', null]);
    assert.deepEqual(await suppressionsOf(client), []);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { sent: 1, unknown: -1 });
  });

  test('202: of a mail that left once and waits to be sent again, a bounce and a complaint count', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const [bounced, complained, unsent] = await Promise.all(
      ['taro', 'jiro', 'saburo'].map((name) =>
        campaignMail(app, client, { status: 'queued', email: `${name}@example.jp` }),
      ),
    );
    await app.database.withConnection('*', ({ query }) =>
      query('UPDATE mail_campaign_recipients SET attempts = 1 WHERE id = ANY ($1)', [
        [bounced!.recipient_id, complained!.recipient_id],
      ]),
    );
    await client.post(hook, reportOf(bounced!), MAIL);
    await client.post(hook, feedbackReport({ type: 'abuse', message_id: complained!.message_id }), MAIL);
    await client.post(hook, reportOf(unsent!), MAIL);
    await runCampaignJobs(app);
    assert.deepEqual((await resultsOf(client)).sort(), ['bounce', 'complaint', 'unmatched']);
    assert.deepEqual(await contactOf(client, bounced!), ['bounced', 'hard_bounce']);
    assert.deepEqual(await contactOf(client, complained!), ['unsubscribed', 'complaint']);
    assert.deepEqual(await contactOf(client, unsent!), ['active', null]);
  });

  test('202: the third soft bounce of different campaigns makes a contact bounced', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const first = await campaignMail(app, client);
    const { contact_id } = first;
    const mails = [
      first,
      await campaignMail(app, client, { contact_id }),
      await campaignMail(app, client, { contact_id }),
    ];
    for (const [index, mail] of mails.entries()) {
      assert.deepEqual(await contactOf(client, mail), ['active', null], `${index}`);
      await client.post(hook, reportOf(mail, { status: '5.2.2' }), MAIL);
      await client.post(hook, reportOf(mail, { status: '4.2.2' }), MAIL);
      await runCampaignJobs(app);
    }
    assert.deepEqual(await contactOf(client, first), ['bounced', 'soft_bounce']);
    assert.deepEqual(await suppressionsOf(client), []);
    assert.deepEqual(await countsOf(app, first.campaign_id), { soft_bounces: 1 });
  });

  test('202: a contact that was changed since its bounce stays as it is when that is taken back', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await campaignMail(app, client);
    await client.post(hook, reportOf(mail), MAIL);
    await runCampaignJobs(app);
    await client.patch(`/mail/contacts/${mail.contact_id}`, { first_name: '太郎' });
    await client.post(`/mail/campaigns/${mail.campaign_id}/bounces/revert`);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, mail), ['bounced', 'hard_bounce']);
    assert.deepEqual(await suppressionsOf(client), []);
  });

  test('202: complaints and mails that unsubscribe are refusals', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const one = await campaignMail(app, client);
    const other = await campaignMail(app, client, { email: 'hanako@example.jp' });
    await client.post(hook, feedbackReport({ type: 'abuse', message_id: one.message_id }), MAIL);
    const to = `bounce+${other.token('unsubscribe_mail').toUpperCase()}@example.co.jp`;
    await client.post(hook, plainMail(`To: ${to}`), MAIL);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, one), ['unsubscribed', 'complaint']);
    assert.deepEqual(await contactOf(client, other), ['unsubscribed', 'mail']);
    assert.deepEqual(await suppressionsOf(client), ['complaint']);
    assert.deepEqual(await countsOf(app, one.campaign_id), { complaints: 1 });
    assert.deepEqual(await countsOf(app, other.campaign_id), { unsubscribes: 1 });
  });

  test('202: who unsubscribes by mail is heard also while their mail waits to be sent again', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await campaignMail(app, client, { status: 'queued' });
    const to = `bounce+${mail.token('unsubscribe_mail')}@example.co.jp`;
    await client.post(hook, plainMail(`To: ${to}`), MAIL);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, mail), ['unsubscribed', 'mail']);
  });

  test('202: a report with characters that a database refuses counts by its token', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await campaignMail(app, client);
    const report = deliveryReport({
      to: `bounce+${mail.token('bounce')}@example.co.jp`,
      message_id: '<a\u0000b@elsewhere.example>',
    });
    const reply = await client.post(hook, report, MAIL);
    assert.deepEqual([reply.status, reply.body], [202, { accepted: 1, ignored: 0 }], reply.text);
    const ses = {
      notificationType: 'Complaint',
      mail: { source: 'a@b.example', headers: [{ name: 'Message-ID', value: '<\ud800@a.example>' }] },
      complaint: {},
    };
    const told = await client.post(hook, { Type: 'Notification', Message: JSON.stringify(ses) });
    assert.equal(told.status, 202, told.text);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, mail), ['bounced', 'hard_bounce']);
  });

  test('202: what proves no mail changes nothing', async () => {
    const [client, stranger] = [await app.actor(), await app.actor()];
    const mail = await campaignMail(app, client);
    const hook = await hookOf(stranger);
    const own = await hookOf(client);
    const token = mail.token('bounce');
    const altered = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    await stranger.post(hook, reportOf(mail), MAIL);
    await client.post(own, deliveryReport({ to: `bounce+${altered}@example.co.jp` }), MAIL);
    await client.post(own, plainMail(`To: bounce+${token}@example.co.jp`), MAIL);
    await client.post(own, deliveryReport({ to: `bounce+${mail.token('view')}@example.co.jp` }), MAIL);
    const auto = plainMail(`To: bounce+${token}@example.co.jp`, 'Auto-Submitted: auto-replied');
    await client.post(own, auto, MAIL);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, mail), ['active', null]);
    assert.deepEqual(await resultsOf(stranger), ['unmatched']);
    const results = await resultsOf(client);
    assert.deepEqual(results.sort(), ['auto_reply', 'unmatched', 'unmatched', 'unmatched']);
  });

  test('202: takes events of SendGrid and of Amazon SES, each once', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const one = await campaignMail(app, client);
    const other = await campaignMail(app, client, { email: 'hanako@example.jp' });
    const bounce = { event: 'bounce', status: '5.1.1', 'smtp-id': one.message_id, sg_event_id: 'e1' };
    const events = await client.post(hook, [bounce, { ...bounce, reason: 'twice' }, { event: 'open' }]);
    assert.deepEqual([events.status, events.body], [202, { accepted: 2, ignored: 1 }], events.text);
    const source = `bounce+${other.token('bounce')}@example.co.jp`;
    const Message = JSON.stringify({ notificationType: 'Complaint', complaint: {}, mail: { source } });
    const notified = JSON.stringify({ Type: 'Notification', Message });
    const sns = await client.post(hook, notified, { 'Content-Type': 'text/plain; charset=UTF-8' });
    assert.deepEqual([sns.status, sns.body], [202, { accepted: 1, ignored: 0 }], sns.text);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, one), ['bounced', 'hard_bounce']);
    assert.deepEqual(await contactOf(client, other), ['unsubscribed', 'complaint']);
    assert.equal((await client.get('/mail/inbound-messages?result=bounce')).body.items.length, 1);
  });

  test('202: confirms a subscription by a GET', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const SubscribeURL = 'https://sns.ap-northeast-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
    await client.post(hook, { Type: 'SubscriptionConfirmation', SubscribeURL });
    const called: string[] = [];
    await runCampaignJobs(app, {
      ...app.context.outside,
      call: async ({ method, url }) => {
        called.push(`${method} ${url}`);
        return { status: 200, headers: {}, body: Buffer.alloc(0), url };
      },
    });
    assert.deepEqual(called, [`GET ${SubscribeURL}`]);
    assert.deepEqual(await resultsOf(client), ['ignored']);
  });

  test('202: a report cut in half, and what is no mail, are ignored', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const report = deliveryReport({ to: 'bounce@example.co.jp' });
    for (const body of [report.slice(0, report.length / 2), '\u0000\u0001', '{}']) {
      const reply = await client.post(hook, body, MAIL);
      assert.deepEqual([reply.status, reply.body], [202, { accepted: 0, ignored: 1 }], reply.text);
    }
  });

  test('404: a wrong token, and one that a new one ended; 413, 422, 400, 415: other bodies', async () => {
    const client = await app.actor();
    const ended = await hookOf(client);
    const hook = await hookOf(client);
    assert.equal((await client.post(ended, reportText, MAIL)).status, 404);
    const wrong = await client.post(`${hook.slice(0, -1)}_`, reportText, MAIL);
    assert.deepEqual([wrong.status, wrong.body.code], [404, 'not_found']);
    assert.match(
      wrong.body.detail,
      /^The token of this hook is wrong.* \/api\/v1\/mail\/settings\/hook-token /,
    );
    assert.equal((await client.post(hook, Buffer.alloc(11 * 1024 * 1024, 'a'), MAIL)).status, 413);
    const many = await client.post(
      hook,
      Array.from({ length: 1_001 }, () => ({ event: 'open' })),
    );
    assert.equal(many.status, 422, many.text);
    assert.equal((await client.post(hook, [])).status, 422);
    assert.equal((await client.post(hook, '{')).status, 400);
    assert.equal((await client.post(hook, 'a', { 'Content-Type': 'text/html' })).status, 415);
  });
});

const reportText = deliveryReport({ to: 'bounce@example.co.jp' });

test('an erased contact takes along what came in about its mails', async () => {
  const client = await app.actor();
  const hook = await hookOf(client);
  const mail = await campaignMail(app, client);
  await client.post(hook, reportOf(mail), MAIL);
  await runCampaignJobs(app);
  assert.deepEqual(await resultsOf(client), ['bounce']);
  assert.equal((await client.delete(`/mail/contacts/${mail.contact_id}`)).status, 200);
  assert.deepEqual(await resultsOf(client), []);
});
